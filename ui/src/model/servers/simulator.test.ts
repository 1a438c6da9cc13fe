import { describe, expect, it } from 'vitest';
import type { SimulatorSettings } from '../../contract/generated';
import {
  answeredBy,
  heldWords,
  simulationProblemsOf,
  simulatorFormOf,
  simulatorSettingsOf,
  explanationOf,
} from './simulator';

const SETTINGS: SimulatorSettings = {
  isOn: true,
  sampling: { answer: { type: 'error', code: -5, message: 'no' }, delayMs: 1500 },
  elicitation: {
    answer: { type: 'script', script: { type: 'file', path: '/s.json' }, atEnd: 'repeat' },
    delayMs: 0,
  },
  roots: null,
};

describe('the settings of the simulator', () => {
  it('survive the form', () => {
    expect(simulatorSettingsOf(simulatorFormOf(SETTINGS), true)).toEqual(SETTINGS);
  });

  it('keep no delay where nothing is answered', () => {
    const form = simulatorFormOf(SETTINGS);
    form.sampling.way = 'noAnswer';
    expect(simulatorSettingsOf(form, false).sampling).toEqual({ answer: { type: 'noAnswer' }, delayMs: 0 });
    form.sampling.way = 'off';
    expect(simulatorSettingsOf(form, false).sampling).toBeNull();
  });

  it('are refused with the field that is wrong', () => {
    const form = simulatorFormOf(SETTINGS).sampling;
    expect(simulationProblemsOf(form)).toEqual({});
    for (const code of ['', '1.5', 'x', '2147483648'])
      expect(simulationProblemsOf({ ...form, code }).code).toBeDefined();
    for (const delaySeconds of ['', '-1', 'x', '90000'])
      expect(simulationProblemsOf({ ...form, delaySeconds }).delaySeconds).toBeDefined();
    expect(
      simulationProblemsOf({ ...form, way: 'script', source: 'file', scriptPath: ' ' }).scriptPath,
    ).toBeDefined();
    expect(simulationProblemsOf({ ...form, way: 'off', code: 'x', delaySeconds: 'x' })).toEqual({});
  });
});

describe('what the simulator does', () => {
  it('does not promise an error where none can be sent', () => {
    for (const [kind, way] of [
      ['sampling', 'decline'],
      ['sampling', 'cancel'],
      ['roots', 'cancel'],
    ] as const) {
      expect(explanationOf(kind, way)).toContain('In the modern era an error cannot be sent');
    }
  });

  it('is said in words', () => {
    expect(answeredBy(null)).toBe('by you');
    expect(answeredBy('--root')).toBe('by rule: --root');
    expect(answeredBy('simulator, decline, after 5 s')).toBe('by the simulator (decline, after 5 s)');
    expect(answeredBy('simulator')).toBe('by the simulator');
    expect(heldWords({ rule: 'decline, after 5 s', answersAtMs: 1 })).toBe('Simulator: decline, after 5 s');
    expect(heldWords({ rule: 'no answer', answersAtMs: null })).toBe('Simulator: never answers');
  });
});
