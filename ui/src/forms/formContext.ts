import type { FormContextType, RJSFSchema, RegistryFieldsType, TemplatesType } from '@rjsf/utils';
import type { Json, Path } from '../model/text/json';

/** What our fields know besides what the form library tells them. */
export interface SchemaFormContext extends FormContextType {
  /** What stands in the arguments there, numbers as they are written: `1.10`, not `1.1`. */
  exact(path: Path): Json | undefined;
  /** Remembers the text that was typed for a number, to be written as typed. */
  typed(path: Path, text: string): void;
}

/** Values in the form are plain JavaScript: what they are is said by the schema, which is the server's. */
export type FormValue = unknown;
export type FormFields = RegistryFieldsType<FormValue, RJSFSchema, SchemaFormContext>;
export type FormTemplates = Partial<TemplatesType<FormValue, RJSFSchema, SchemaFormContext>>;
