import type { Json } from '../../model/text/json';
import type { BodyProps } from '../formContext';

/**
 * What a cleared field is: a property is not sent, but an item of an array or a member of a map stays, as an empty string, until
 * it is removed with its button.
 */
export function cleared({
  field,
  value,
  place,
}: Pick<BodyProps, 'field' | 'value' | 'place'>): Json | undefined {
  if (place === 'property') return undefined;
  return value === null && field.nullable ? null : '';
}
