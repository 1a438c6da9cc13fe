import type { AdvertisedDraft } from '../../contract/generated';
import { parseJson } from '../text/json';

/** The capabilities that can be switched. */
export type Feature =
  | 'sampling'
  | 'samplingTools'
  | 'samplingContext'
  | 'elicitationForm'
  | 'elicitationUrl'
  | 'roots'
  | 'rootsListChanged'
  | 'tasks';

/** What is declared to a server, as the dialog edits it. */
export interface AdvertisedForm extends Record<Feature, boolean> {
  /** JSON text; empty declares nothing. */
  experimental: string;
  /** JSON text; empty declares the supported extensions. */
  extensions: string;
  /** A known revision, `newest`, or `other`. */
  revision: string;
  /** The text to offer if `revision` is `other`. */
  otherRevision: string;
  anyRevision: boolean;
}

/** The problems of the form, by field. */
export interface AdvertisedProblems {
  experimental?: string;
  extensions?: string;
  otherRevision?: string;
}

/** The revisions that can be offered, newest first. */
export const REVISIONS: readonly string[] = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

const FEATURES: Record<Feature, boolean> = {
  sampling: true,
  samplingTools: true,
  samplingContext: false,
  elicitationForm: true,
  elicitationUrl: true,
  roots: true,
  rootsListChanged: true,
  tasks: true,
};

export function emptyAdvertisedForm(): AdvertisedForm {
  return {
    ...FEATURES,
    experimental: '',
    extensions: '',
    revision: 'newest',
    otherRevision: '',
    anyRevision: false,
  };
}

export function advertisedFormOf(draft: AdvertisedDraft | undefined): AdvertisedForm {
  if (draft === undefined) return emptyAdvertisedForm();
  const { experimentalJson, extensionsJson, revision, ...switches } = draft;
  const isOther = revision !== null && !REVISIONS.includes(revision);
  return {
    ...switches,
    experimental: experimentalJson ?? '',
    extensions: extensionsJson ?? '',
    revision: isOther ? 'other' : (revision ?? 'newest'),
    otherRevision: isOther ? revision : '',
  };
}

/** The draft of a form without problems; undefined if everything is as by default. */
export function advertisedDraftOf(form: AdvertisedForm): AdvertisedDraft | undefined {
  const { experimental, extensions, revision, otherRevision, ...switches } = form;
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim());
  const isDefault =
    JSON.stringify(advertisedFormOf(undefined)) === JSON.stringify({ ...emptyAdvertisedForm(), ...form });
  if (isDefault) return undefined;
  return {
    ...switches,
    experimentalJson: text(experimental),
    extensionsJson: text(extensions),
    revision: revision === 'newest' ? null : revision === 'other' ? text(otherRevision) : revision,
  };
}

export function advertisedProblemsOf(form: AdvertisedForm): AdvertisedProblems {
  const problems: AdvertisedProblems = {};
  const experimental = objectProblem(form.experimental);
  const extensions = objectProblem(form.extensions);
  if (experimental !== undefined) problems.experimental = experimental;
  if (extensions !== undefined) problems.extensions = extensions;
  if (form.revision === 'other' && form.otherRevision.trim() === '') {
    problems.otherRevision = 'Enter a revision.';
  }
  return problems;
}

function objectProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok) return `Not JSON: ${parsed.message}.`;
  const isObject = typeof parsed.value === 'object' && parsed.value !== null && text.trim().startsWith('{');
  return isObject ? undefined : 'Enter a JSON object.';
}

const NAMES: Record<Feature, string> = {
  sampling: 'sampling',
  samplingTools: 'sampling.tools',
  samplingContext: 'sampling.context',
  elicitationForm: 'elicitation.form',
  elicitationUrl: 'elicitation.url',
  roots: 'roots',
  rootsListChanged: 'roots.listChanged',
  tasks: 'tasks',
};

/** What differs from the default, in a few words; empty if nothing does. */
export function advertisedInWords(form: AdvertisedForm): string {
  const features = Object.keys(FEATURES) as Feature[];
  const off = features.filter((feature) => FEATURES[feature] && !form[feature]);
  const parts = [
    off.length > 0 ? `without ${off.map((feature) => NAMES[feature]).join(', ')}` : '',
    form.samplingContext ? 'sampling.context' : '',
    form.experimental.trim() === '' ? '' : 'experimental',
    form.extensions.trim() === '' ? '' : 'own extensions',
    form.revision === 'newest' ? '' : form.revision === 'other' ? form.otherRevision : form.revision,
    form.anyRevision ? 'any revision' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
