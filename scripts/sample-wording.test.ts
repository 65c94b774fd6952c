import { expect, test } from 'vitest'
import { commentsOf, draw, sentencesOf, titlesOf } from './sample-wording.ts'

const code = `// Two lines
// of one comment.
const a = 1 // biome-ignore lint: no
/** A block. */
// biome-ignore lint/x: not prose
export const Hello = () => <p title="Not three">The shop is closed. {name}</p>
const b = \`Send it to \${name} again.\`
test('finds what it should', () => {})
page.route('**/api/*/posts', (route) => route.abort()) // no comment before */
const path = <path d="M3 12 C4 5" />
`

test('finds comments but not directives', () => {
  expect(commentsOf('a.tsx', code)).toEqual([
    { file: 'a.tsx', line: 1, text: 'Two lines of one comment.' },
    { file: 'a.tsx', line: 4, text: 'A block.' },
  ])
})

test('finds sentences in strings, templates, and JSX', () => {
  expect(sentencesOf('a.tsx', code).map(({ text }) => text)).toEqual(['The shop is closed.', 'Send it to … again.'])
})

test('finds test titles', () => {
  expect(titlesOf('a.tsx', code)).toEqual([{ file: 'a.tsx', line: 8, text: 'finds what it should' }])
})

test('finds the titles of conditional tests and of tests with cases', () => {
  const source = `describe.runIf(isLinux() && hasDisk())('on Linux', () => {})
it.each([[1, (n: number) => n], [')', null]])('accepts “%s”', () => {})
test.describe('a screen', () => {})
test.describe.configure({ mode: 'serial' })
test.request('GET', '/api')
`
  expect(titlesOf('a.ts', source).map(({ text }) => text)).toEqual(['on Linux', 'accepts “%s”', 'a screen'])
})

test('draws each phrase at most once, and the same phrases for the same seed', () => {
  const all = Array.from({ length: 50 }, (_, index) => index)
  const drawn = draw(all, 20, 7)
  expect(new Set(drawn).size).toBe(20)
  expect(draw(all, 20, 7)).toEqual(drawn)
  expect(draw(all, 20, 8)).not.toEqual(drawn)
  expect(draw(all, 80, 7).toSorted((a, b) => a - b)).toEqual(all)
})
