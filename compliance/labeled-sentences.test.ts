import { expect, test } from 'vitest'
import { checkText, type Facts } from './judge.ts'
import labeled from './labeled-sentences.json' with { type: 'json' }

const kinds = ['health', 'giveaway', 'sale'] as const
type Kind = (typeof kinds)[number]

const person: Facts = { kind: 'post', isAdvertising: false, business: null, isNewWriter: false, isRepeated: false }
const business: Facts = {
  ...person,
  business: { place: { country: 'US', state: 'CA' }, isLicensed: true, licenseNumber: 'C10-0000123-LIC' },
}

const heldFor = (sentence: string, by: string): Set<string> =>
  new Set(checkText(sentence, by === 'business' ? business : person).flatMap(({ rule, effect }) => (effect === 'hold' ? [rule] : [])))

type Figures = { found: number; missed: number; wrong: number }

function measure(part: string): Record<Kind, Figures> {
  const figures = Object.fromEntries(kinds.map((kind) => [kind, { found: 0, missed: 0, wrong: 0 }])) as Record<Kind, Figures>
  for (const group of labeled.groups.filter((each) => each.part === part)) {
    const wanted = new Set<string>(group.kinds)
    for (const sentence of group.sentences) {
      const held = heldFor(sentence, group.by)
      for (const kind of kinds) {
        if (wanted.has(kind)) figures[kind][held.has(kind) ? 'found' : 'missed']++
        else if (held.has(kind)) figures[kind].wrong++
      }
    }
  }
  return figures
}

const count = (groups: typeof labeled.groups) => groups.reduce((sum, { sentences }) => sum + sentences.length, 0)

test('has at least 400 unique sentences, at least half of them harmless', () => {
  const sentences = labeled.groups.flatMap((group) => group.sentences)
  expect(sentences.length).toBeGreaterThanOrEqual(400)
  expect(count(labeled.groups.filter(({ kinds: of }) => of.length === 0)) / sentences.length).toBeGreaterThanOrEqual(0.5)
  expect(new Set(sentences.map((sentence) => sentence.toLowerCase())).size).toBe(sentences.length)
})

test.each(['tuning', 'held-out'])('reaches 0.95 recall and 0.9 precision on the %s sentences', (part) => {
  const lines = kinds.map((kind) => {
    const { found, missed, wrong } = measure(part)[kind]
    return { kind, found, missed, wrong, recall: found / (found + missed), precision: found / (found + wrong) }
  })
  for (const { kind, found, missed, wrong, recall, precision } of lines) {
    console.info(
      `${part.padEnd(8)} ${kind.padEnd(8)} recall ${recall.toFixed(3)} (${found} of ${found + missed}), precision ${precision.toFixed(3)} (${wrong} wrong)`,
    )
  }
  for (const { kind, recall, precision } of lines) {
    expect(recall, `recall of ${kind}`).toBeGreaterThanOrEqual(0.95)
    expect(precision, `precision of ${kind}`).toBeGreaterThanOrEqual(0.9)
  }
})
