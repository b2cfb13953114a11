import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, WebLink } from '../../http/schema.ts'

const MAX_SAMPLES = 5
/** A line: names and titles are written into a message. */
const line = { pattern: '^[^\\r\\n]*$', 'x-error-message': 'must be one line' }

const tone = OneOf(['brief', 'warm', 'formal'], { description: 'How your messages are worded' })
const samples = Type.Array(Type.String({ maxLength: 4_000, pattern: '\\S' }), {
  maxItems: MAX_SAMPLES,
  description: 'Messages you have written, as examples of your style',
})
const example = {
  name: 'Dana Whitfield',
  job_title: 'Account Executive',
  signature: 'Dana Whitfield\nAccount Executive, Northwind Freight\n+43 1 555 0100',
  tone: 'warm',
  calendar_url: 'https://cal.example/dana',
  sample_messages: ['Hi Marta, congratulations on the new terminal. How do you plan to staff the night shift?'],
}

export const MyProfile = Rec(
  'MyProfile',
  {
    name: Type.String(),
    job_title: Nullable(Type.String()),
    signature: Nullable(Type.String({ description: 'Ends your emails; several lines' })),
    tone,
    calendar_url: Nullable(Type.String({ description: 'Where people book a meeting with you' })),
    sample_messages: samples,
    greeting: Nullable(Type.String({ description: 'Learned from your edits of drafts' })),
    sign_off: Nullable(Type.String({ description: 'Learned from your edits of drafts' })),
    body_words: Nullable(Type.Integer({ description: 'The length of your messages, learned from your edits' })),
    is_complete: Type.Boolean({
      description: 'Whether a signature or a job title is saved, so that drafts are signed',
    }),
  },
  { ...example, greeting: 'Hi', sign_off: 'Best', body_words: 80, is_complete: true },
)

const Forget = (what: string) => Type.Optional(Type.Null({ description: `null forgets the learned ${what}` }))

export const UpdateMyProfile = Body(
  'UpdateMyProfile',
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 120, pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$', description: 'One line' }),
    ),
    job_title: Type.Optional(Nullable(Type.String({ maxLength: 120, ...line }))),
    signature: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
    tone: Type.Optional(tone),
    calendar_url: Type.Optional(
      Nullable(
        WebLink({ pattern: '^[Hh][Tt][Tt][Pp][Ss]:', 'x-error-message': 'must be a link that begins with https://' }),
      ),
    ),
    sample_messages: Type.Optional(samples),
    greeting: Forget('greeting'),
    sign_off: Forget('sign-off'),
    body_words: Forget('length'),
  },
  example,
)

export type UpdateMyProfile = Static<typeof UpdateMyProfile>
