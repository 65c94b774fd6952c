import { describe, expect, test } from 'vitest'
import { guideRefusals } from '#contracts/guide.endpoints.ts'
import { processorMs } from '#tests/support/processor-time.ts'
import { boundaryOf, checkWording, isSafeText, refusalOf, withoutContacts } from './boundaries.ts'
import labeled from './labeled-questions.json' with { type: 'json' }

type Sample = { question: string; refused: string | null }
const samplesOf = (part: string): Sample[] =>
  labeled.groups
    .filter((group) => group.part === part)
    .flatMap(({ refused, questions }) => questions.map((question) => ({ question, refused })))

describe('the guide’s filter', () => {
  test('is tested with enough questions of every kind, without repetition', () => {
    const questions = labeled.groups.flatMap((group) => group.questions)
    expect(questions.length).toBeGreaterThanOrEqual(120)
    expect(new Set(questions.map((question) => question.toLowerCase())).size).toBe(questions.length)
    for (const part of ['tuning', 'held-out'])
      for (const kind of [...guideRefusals, null])
        expect(samplesOf(part).filter(({ refused }) => refused === kind).length).toBeGreaterThanOrEqual(9)
  })

  test.each([
    { part: 'tuning', minRecall: 0.9 },
    { part: 'held-out', minRecall: 0.9 },
    // No rule was tuned on these questions. Those that the word lists miss are answered from records or not at all.
    { part: 'fresh', minRecall: 0.3 },
  ])('refuses the questions marked for refusal in part $part with the required recall and precision', ({ part, minRecall }) => {
    const samples = samplesOf(part)
    const judged = samples.map((sample) => ({ ...sample, got: boundaryOf(sample.question) }))
    const toRefuse = judged.filter(({ refused }) => refused !== null)
    const missed = toRefuse.filter(({ got }) => got === null)
    const wrong = judged.filter(({ refused, got }) => refused === null && got !== null)
    const recall = 1 - missed.length / toRefuse.length
    const precision = (toRefuse.length - missed.length) / (toRefuse.length - missed.length + wrong.length)
    const rightReason = toRefuse.filter(({ refused, got }) => refused === got).length / toRefuse.length
    console.info(
      `${part.padEnd(8)} recall ${recall.toFixed(3)} (${missed.length} missed of ${toRefuse.length}), precision ${precision.toFixed(3)} (${wrong.length} wrong of ${judged.length - toRefuse.length}), right reason ${rightReason.toFixed(3)}`,
    )
    expect(recall).toBeGreaterThanOrEqual(minRecall)
    expect(precision).toBeGreaterThanOrEqual(0.9)
  })

  test('recognizes every emergency among the tuning and held-out questions', () => {
    const emergencies = labeled.groups
      .filter(({ part, refused }) => part !== 'fresh' && refused === 'emergency')
      .flatMap(({ questions }) => questions)
    expect(emergencies.filter((question) => boundaryOf(question) !== 'emergency')).toEqual([])
  })

  test.each([
    ['100mg gummies in denver', null],
    ['10 mg THC gummies in Portland, OR?', null],
    ['100mg gummies in one day', 'dose'],
    ['100mg gummies in denver for beginners', 'dose'],
    ['is 100mg too much in denver', 'dose'],
  ])('distinguishes a search for a product from a question about a dose: %s', (question, refused) => {
    expect(boundaryOf(question)).toBe(refused)
  })

  test('ignores case, look-alike letters and digits, extra spaces, and punctuation', () => {
    for (const question of [
      'WHICH STRAIN IS BEST FOR ANXIETY???',
      'which strain is best for аnxiety',
      'which strain is best for anx1ety',
      'which  strain… is best for anxiety',
    ])
      expect(boundaryOf(question), question).toBe('health')
  })

  test('cites the advertising rules of Washington for the state, but not for the capital', () => {
    const cited = (place: string) => refusalOf('legal', `Can I advertise weed in ${place}?`).links.map(({ title }) => title.split(':')[0])
    expect(cited('Washington')).toEqual(['Rules, place by place', 'Washington'])
    for (const capital of ['Washington, DC', 'washington d.c.', 'Washington DC']) expect(cited(capital)).toEqual(['Rules, place by place'])
  })

  test('checks long, repetitive input quickly', () => {
    const took = processorMs(() => {
      for (const word of ['can i ', 'ate ', 'my dog ', 'how much ', 'not ', 'a.']) boundaryOf(word.repeat(300).slice(0, 300))
    })
    expect(took).toBeLessThan(300)
  })
})

describe('the allowed output of a language model', () => {
  test.each(['Green Leaf in Denver has the best ratings [1].', 'Press Follow on its page [2]. Following is free.'])(
    'includes: %s',
    (text) => expect(isSafeText(text)).toBe(true),
  )

  test.each([
    'This oil cures insomnia [1].',
    'Start with 5 mg and wait two hours [1].',
    'Home growing is legal in Michigan [1].',
    'It helps with anxiety [2].',
    'Blue Dream treats pain better than pills [1].',
  ])('excludes: %s', (text) => expect(isSafeText(text)).toBe(false))
})

const sources = [
  { title: 'Green Leaf', path: '/business/green-leaf', text: 'dispensary in Denver, CO, 4.6 stars from 12 ratings' },
  { title: 'How do I search?', path: '/help#find', text: 'Type a name, a city or a ZIP code into the search box.' },
]
const asked = 'Which dispensary in Denver is best?'

describe('an answer from a language model', () => {
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
  ])('is rejected if it is “%s” (%s)', (answer, fault) => expect(checkWording(answer, sources, asked)).toEqual({ fault }))

  test('is requested without the addresses and phone numbers in the question', () => {
    expect(withoutContacts('I am ann@example.com, 303-555-0142, see https://me.example/x?y=1 — where is Green Leaf in 80202?')).toBe(
      'I am (address) (number), see (address) — where is Green Leaf in 80202?',
    )
    for (const text of ['flower under $40 80202', 'open at 10 80202', 'gummies under 12.50  80202?'])
      expect(withoutContacts(text)).toBe(text)
    expect(withoutContacts('call 555 0142 or +49 30 12345678')).toBe('call (number) or (number)')
  })
})
