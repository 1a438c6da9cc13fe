//! A picture, a sound and a document, generated here, so that the program needs no files for them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Base64 as MCP requires it.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A PDF with one line of text on each page. The texts have no brackets and no backslashes.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    // Two objects a page, after the catalog, the tree of pages and the font.
    let page = |n: usize| 4 + 2 * n;
    let kids: String = (0..pages.len()).map(|n| format!("{} 0 R ", page(n))).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [ {kids}] /Count {} >>", pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (n, text) in pages.iter().enumerate() {
        let drawn = format!("BT /F1 36 Tf 60 300 Td ({text}) Tj ET\n2 w 60 280 m 480 280 l S");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 540 400] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>",
            page(n) + 1
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{drawn}\nendstream",
            drawn.len()
        ));
    }
    let mut text = String::from("%PDF-1.4\n");
    let mut places = String::new();
    for (at, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", text.len()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let size = objects.len() + 1;
    let start = text.len();
    text.push_str(&format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    text.into_bytes()
}

/// A square PNG of `side` pixels: a gradient with a diagonal line.
pub(crate) fn png(side: u32) -> Vec<u8> {
    let mut pixels = Vec::with_capacity((side as usize * 3 + 1) * side as usize);
    let shade = |value: u32| u8::try_from(40 + value * 160 / side.max(1)).unwrap_or(u8::MAX);
    for y in 0..side {
        // The filter of the row: none.
        pixels.push(0);
        for x in 0..side {
            let cable = x.abs_diff(y) <= side / 24;
            pixels.extend(if cable {
                [30, 200, 180]
            } else {
                [shade(x), shade(y), 120]
            });
        }
    }
    let mut header = Vec::new();
    header.extend(side.to_be_bytes());
    header.extend(side.to_be_bytes());
    // 8 bits per channel, RGB, and the only defined methods.
    header.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"IDAT", &zlib_stored(&pixels));
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let mut body = kind.to_vec();
    body.extend(data);
    out.extend(&body);
    out.extend(crc32(&body).to_be_bytes());
}

/// zlib without compression: the blocks are stored.
fn zlib_stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let blocks = data.chunks(0xffff);
    let last = blocks.len().saturating_sub(1);
    for (index, block) in blocks.enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(index == last));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in data {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    out.extend((high << 16 | low).to_be_bytes());
    out
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

/// A WAV of a sine wave, 8 kHz, 16 bits, mono.
pub(crate) fn wav(hertz: u32, milliseconds: u32) -> Vec<u8> {
    const RATE: u32 = 8_000;
    let samples = RATE / 1_000 * milliseconds;
    let size = samples * 2;
    let mut out = b"RIFF".to_vec();
    out.extend((36 + size).to_le_bytes());
    out.extend(b"WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00");
    out.extend(RATE.to_le_bytes());
    out.extend((RATE * 2).to_le_bytes());
    out.extend(b"\x02\x00\x10\x00data");
    out.extend(size.to_le_bytes());
    for sample in 0..samples {
        let turns = f64::from(sample) * f64::from(hertz) / f64::from(RATE);
        let height = (turns * std::f64::consts::TAU).sin() * 12_000.0;
        #[expect(clippy::cast_possible_truncation, reason = "within ±12,000 by construction")]
        out.extend((height as i16).to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests;
