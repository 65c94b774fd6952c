import { expect, test } from 'vitest'
import { findWording } from './wording.ts'

test.each([
  ['// Whoever asks gets nothing.', 'Whoever'],
  ['// nobody is told', 'nobody'],
  ['/** Reads the list anew. */', 'anew'],
  ['// takes the own request back', 'the own'],
  ['// decided by the name alone', 'by the name alone'],
  ['// what one may read', 'what one may'],
  [' * Of whom it is: the owner.', '* Of whom'],
  ['const mostBytes = 10', 'mostBytes'],
  ['tellOfLike(post)', 'tellOfLike'],
  ['// Sends the mails.', '// Sends the mails'],
  [' * Sends a mail to them.', '* Sends a mail'],
  ["it('are kept until then', () => {})", "it('are"],
  ["test('finds it by id', () => {})", "test('finds it by id'"],
  [`new AppError('conflict', { message: "It can't be undone." })`, `message: "It can't`],
])('finds the phrase in %s', (text, phrase) => {
  expect(findWording('a.ts', `\n${text}`)).toMatchObject([{ file: 'a.ts', line: 2, text: phrase }])
})

test.each([
  '// Anyone who asks gets an empty list.',
  '// No one may read it, and only its owner may delete it.',
  '// At least one must match, and no one knows which one is first.',
  "'You are not alone'",
  "new AppError('conflict', { message: 'It can’t be undone.' })",
  '// Composed in accounts.mails.ts and handed to a mail server.',
  'const maxBytes = maxRecent.length',
  "takes_messages_from: 'nobody'",
])('accepts %s', (text) => {
  expect(findWording('a.ts', text)).toEqual([])
})
