import { describe, expect, it } from 'vitest';
import { COLUMNS, boundedWidth, columnStyle, rowTerms } from './columns';

describe('the columns of the log', () => {
  it('keep their widths within their bounds', () => {
    const method = COLUMNS.find(({ id }) => id === 'method')!;
    expect(boundedWidth(method, 10)).toBe(80);
    expect(boundedWidth(method, 9_999)).toBe(600);
    expect(boundedWidth(method, 200.4)).toBe(200);
    expect(boundedWidth(method, Number.NaN)).toBe(236);
  });

  it('have a style for what was changed only, whatever was saved', () => {
    expect(columnStyle({})).toEqual({});
    expect(columnStyle({ method: 300, size: 10, nothing: 4 })).toEqual({ '--w-method': '300px' });
  });
});

describe('one row per call', () => {
  it('hides responses, unless the filter names them', () => {
    expect(rowTerms({ oneRow: false, filter: '' })).toEqual([]);
    expect(rowTerms({ oneRow: true, filter: 'method:tools/*' })).toEqual(['-kind:response']);
    expect(rowTerms({ oneRow: true, filter: 'kind:http,response' })).toEqual([]);
    expect(rowTerms({ oneRow: true, filter: 'Kind:"Response"' })).toEqual([]);
    expect(rowTerms({ oneRow: true, filter: '"kind: response"' })).toEqual(['-kind:response']);
  });
});
