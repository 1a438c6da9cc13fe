import { type ComponentType, createContext, use } from 'react';
import type { SchemaDocument } from '../model/form/fields/document';
import type { FieldSchema } from '../model/form/fields/field';
import type { Json } from '../model/text/json';

/** One value of the form, with its name, its type and what is wrong with it. */
export interface FieldProps {
  schema: Json;
  /** Undefined if it is not sent. */
  value: Json | undefined;
  /** The JSON pointer of the value. */
  pointer: string;
  /** The name of the member, or the index of the item, in the value around it. */
  name: string | number;
  /** `extra`: a member the schema does not name, which can be renamed and removed. */
  place: 'property' | 'extra' | 'item';
  required: boolean;
  /** The references followed on the way here, one a line: a schema that contains itself is not drawn without end. */
  followed: string;
  /** Sets the value in the value around it; undefined removes it. The same function at every render. */
  onMember: (name: string | number, value: Json | undefined) => void;
  /** Renames the member; false if another one has the name. */
  onRename?: (from: string, to: string) => boolean;
}

/** The control of a value, without its name. */
export interface BodyProps {
  id: string;
  /** The accessible name. */
  label: string;
  field: FieldSchema;
  schema: Json;
  value: Json | undefined;
  pointer: string;
  place: FieldProps['place'];
  required: boolean;
  invalid: boolean;
  followed: string;
  /** How many choices of a schema were made for this value already. */
  depth: number;
  /** Sets the value; undefined removes it. The same function at every render. */
  onValue: (value: Json | undefined) => void;
}

/** What every part of a form uses. The parts contain each other, so they find each other here. */
export interface FormParts {
  document: SchemaDocument;
  /** Whether each field shows its whole type, as a schema has it, or only the bounds of numbers. */
  types: 'schema' | 'bounds';
  Field: ComponentType<FieldProps>;
  Body: ComponentType<BodyProps>;
}

export const FormContext = createContext<FormParts | null>(null);

/** The messages of problems, by the pointer of the value. */
export const ProblemContext = createContext<ReadonlyMap<string, string[]>>(new Map());

export function useForm(): FormParts {
  const parts = use(FormContext);
  if (parts === null) throw new Error('outside of a form');
  return parts;
}
