//! `--simulate KIND=ANSWER`: the simulator's settings for this run.

use std::path::Path;

use clap::Args;
use patchbay_contract::{InputKind, ScriptEnd, ScriptSource, SimulatedAnswer, Simulation, SimulatorSettings};
use patchbay_engine::InputChain;

/// What the simulator does in this run.
#[derive(Debug, Default, Args)]
pub(crate) struct SimulateArgs {
    /// Answer a kind of request automatically, to see how the server copes; can be repeated.
    ///
    /// KIND is sampling, elicitation or roots. ANSWER is defaults, decline, cancel, no-answer, invalid, error:CODE:MESSAGE,
    /// script:FILE or script-repeat:FILE (a JSON array of answers), and may begin with slow:SECONDS and a comma. Replaces the
    /// simulator of a saved server; off switches that off. For the same kind a fixed --on-sampling, --on-elicitation or --root
    /// answers first, and this answers in place of ask.
    #[arg(long, value_name = "KIND=ANSWER|off", value_parser = parse)]
    pub(crate) simulate: Vec<Simulate>,
}

impl SimulateArgs {
    /// Adds the settings to the chain of responders, if there are any.
    pub(crate) fn add(&self, chain: InputChain) -> InputChain {
        match self.settings() {
            Some(settings) => chain.with_simulator(settings),
            None => chain,
        }
    }

    /// The settings; none if there are none.
    pub(crate) fn settings(&self) -> Option<SimulatorSettings> {
        let mut settings = SimulatorSettings::default();
        for simulate in &self.simulate {
            match simulate.clone() {
                Simulate::Off => settings = SimulatorSettings::default(),
                Simulate::Kind(kind, simulation) => {
                    let place = match kind {
                        InputKind::Sampling => &mut settings.sampling,
                        InputKind::Elicitation => &mut settings.elicitation,
                        InputKind::Roots => &mut settings.roots,
                    };
                    *place = Some(simulation);
                    settings.is_on = true;
                }
            }
        }
        (!self.simulate.is_empty()).then_some(settings)
    }
}

/// One `--simulate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Simulate {
    /// Nothing, whatever the saved server says.
    Off,
    /// This kind of request.
    Kind(InputKind, Simulation),
}

const WAYS: &str =
    "defaults, decline, cancel, no-answer, invalid, error:CODE:MESSAGE, script:FILE, script-repeat:FILE";

/// Parses the value of one `--simulate`.
fn parse(text: &str) -> Result<Simulate, String> {
    if text == "off" {
        return Ok(Simulate::Off);
    }
    let (kind, answer) = text
        .split_once('=')
        .ok_or("write KIND=ANSWER, with sampling, elicitation or roots as the kind")?;
    let kind = match kind {
        "sampling" => InputKind::Sampling,
        "elicitation" => InputKind::Elicitation,
        "roots" => InputKind::Roots,
        other => return Err(format!("{other} is not one of sampling, elicitation, roots")),
    };
    let (delay_ms, answer) = match answer.strip_prefix("slow:") {
        None => (0, answer),
        Some(rest) => {
            let (seconds, answer) = rest
                .split_once(',')
                .ok_or("write slow:SECONDS,ANSWER, such as slow:2,decline")?;
            (delay(seconds)?, answer)
        }
    };
    let answer = self::answer(answer)?;
    Ok(Simulate::Kind(kind, Simulation { answer, delay_ms }))
}

fn delay(seconds: &str) -> Result<u32, String> {
    const LONGEST: f64 = 86_400.0;
    let number: f64 = seconds
        .parse()
        .map_err(|_| format!("{seconds} is not a number of seconds"))?;
    if !(0.0..=LONGEST).contains(&number) {
        return Err("an answer is held back from 0 to 86400 seconds".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    Ok((number * 1000.0) as u32)
}

fn answer(text: &str) -> Result<SimulatedAnswer, String> {
    let (way, rest) = text.split_once(':').unwrap_or((text, ""));
    Ok(match (way, rest) {
        ("defaults", "") => SimulatedAnswer::Defaults {},
        ("decline", "") => SimulatedAnswer::Decline {},
        ("cancel", "") => SimulatedAnswer::Cancel {},
        ("no-answer", "") => SimulatedAnswer::NoAnswer {},
        ("invalid", "") => SimulatedAnswer::Invalid {},
        ("error", rest) => {
            let (code, message) = rest
                .split_once(':')
                .ok_or("write error:CODE:MESSAGE, such as error:-32603:Out of order")?;
            SimulatedAnswer::Error {
                code: code
                    .parse()
                    .map_err(|_| format!("{code} is not an error code: a whole number of 32 bits"))?,
                message: message.to_owned(),
            }
        }
        ("script" | "script-repeat", "") => return Err("name the file of the script: script:FILE".to_owned()),
        ("script" | "script-repeat", file) => SimulatedAnswer::Script {
            script: ScriptSource::File {
                path: std::path::absolute(Path::new(file))
                    .map_err(|error| error.to_string())?
                    .display()
                    .to_string(),
            },
            at_end: match way {
                "script" => ScriptEnd::Stop,
                _ => ScriptEnd::Repeat,
            },
        },
        _ => return Err(format!("{text} is not one of {WAYS}")),
    })
}
