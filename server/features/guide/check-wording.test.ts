import { describe, expect, test } from 'vitest'
import { checkWording, withoutContacts } from './check-wording.ts'

const sources = [
  { title: 'Green Leaf', path: '/business/green-leaf', text: 'dispensary in Denver, CO, 4.6 stars from 12 ratings' },
  { title: 'How do I search?', path: '/help#find', text: 'Type a name, a city or a ZIP code into the search box.' },
]
const asked = 'Which dispensary in Denver is best?'

describe('an answer of a language model', () => {
  test('passes with its sources, which are its only links', () => {
    const checked = checkWording('Green Leaf has 4.6 stars from 12 ratings [1]. You can search for others [2].', sources, asked)
    expect(checked).toEqual({ text: 'Green Leaf has 4.6 stars from 12 ratings. You can search for others.', used: sources })
  })

  test.each([
    ['Green Leaf is the best.', 'no source'],
    ['Green Leaf [3].', 'an invalid source'],
    ['Green Leaf [source].', 'an invalid source'],
    ['See [Green Leaf](https://evil.example) [1].', 'markup'],
    ['<b>Green Leaf</b> [1].', 'markup'],
    ['Go to https://evil.example [1].', 'an address'],
    ['Go to evil.shop/win [1].', 'an address'],
    ['Write to owner@evil.example [1].', 'an address'],
    ['Call 303-555-0142 [1].', 'a phone number'],
    ['Green Leaf has 4.9 stars [1].', 'an invented number'],
    ['Green Leaf cures anxiety [1].', 'out of scope'],
    ['It is legal there [1].', 'out of scope'],
    ['NONE', 'no content'],
    ['  ', 'no content'],
    [`${'Green Leaf is in Denver. '.repeat(50)}[1]`, 'too long'],
    ['Green\u202eLeaf [1].', 'markup'],
  ])('fails: %s', (answer, fault) => expect(checkWording(answer, sources, asked)).toEqual({ fault }))

  test('leaves the server without addresses and numbers of people in the question', () => {
    expect(withoutContacts('I am ann@example.com, 303-555-0142, see https://me.example/x?y=1 — where is Green Leaf in 80202?')).toBe(
      'I am (address) (number), see (address) — where is Green Leaf in 80202?',
    )
  })
})
