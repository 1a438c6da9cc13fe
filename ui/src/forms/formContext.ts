import { createContext } from 'react';
import type { FormContextType, RJSFSchema, RegistryFieldsType, TemplatesType } from '@rjsf/utils';
import type { Json, Path } from '../model/text/json';

/** What the fields know in addition to what the form library passes to them. */
export interface SchemaFormContext extends FormContextType {
  /** The value at a path, with numbers as they are written: `1.10`, not `1.1`. */
  exact(path: Path): Json | undefined;
  /** Remembers the text typed for a number, so that it is sent as typed. */
  typed(path: Path, text: string): void;
}

/** Values in the form are plain JavaScript; their types are those of the server's schema. */
export type FormValue = unknown;
export type FormFields = RegistryFieldsType<FormValue, RJSFSchema, SchemaFormContext>;
export type FormTemplates = Partial<TemplatesType<FormValue, RJSFSchema, SchemaFormContext>>;

/** Whether a field is an item of an array: cleared, a string is then empty instead of not set. */
export const InArray = createContext(false);
