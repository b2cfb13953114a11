import { Type } from 'typebox'

/** What must not happen twice when an agent repeats a call whose answer it lost. */
export const requestKeyArgument = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,200}$',
    description:
      'Any word without blanks. A repeat with the same one within a day does nothing anew and gets the first answer',
  }),
)
