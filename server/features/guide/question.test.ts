import { describe, expect, test } from 'vitest'
import { processorMs } from '#tests/support/processor-time.ts'
import { createHelpIndex, subjectsOf } from './help-index.ts'
import { readQuestion } from './question.ts'
import { type AskedTime, resolveTime, smallTalk } from './question-words.ts'

const denver = { label: 'Denver, CO', isInside: true }
const noProduct = { categories: [], strainType: null, sort: null, isOnSale: false, words: [] }

describe('the question parser', () => {
  test.each([
    ['Which dispensaries in Denver have the best ratings?', { type: 'dispensary', place: denver, sort: 'rating', words: [] }],
    ['farms near Eugene, OR', { type: 'farm', place: { label: 'Eugene, OR', isInside: false }, words: [] }],
    ['Show me dispensaries near me', { type: 'dispensary', place: null, isNearMe: true, words: [] }],
    ['dispenseries in denvr', { type: 'dispensary', place: denver, words: [] }],
    ['smoke shop boulder', { type: 'smoke_shop', place: { label: 'Boulder, CO' }, words: [] }],
    ['highest rated farms in Oregon', { type: 'farm', place: { label: 'Oregon', kind: 'state' } }],
    ['dispensaries in qarth', { type: 'dispensary', place: null, unknownPlace: 'qarth' }],
    ['Is there a community for outdoor growers?', { isAboutCommunities: true, topic: 'growing' }],
    ['How do I set my opening hours?', { isHowTo: true, place: null }],
    ['how much are peach gummies', { isHowTo: false, isAboutProducts: true, words: ['peach'] }],
    ['What is Blue Dream?', { isAboutPlaces: false, isAboutProducts: false, words: ['blue', 'dream'] }],
    ['lanternfold phone number', { aspect: 'phone', words: ['lanternfold'] }],
  ])('finds the search terms of “%s”', (question, wanted) => expect(readQuestion(question)).toMatchObject(wanted))

  test.each([
    ['cheapest eighth of flower in denver', { categories: ['Flower'], sort: 'price', weight: 3.5 }],
    ['gummys under 15 bucks', { categories: ['Edibles'], words: ['gumm'], price: { below: 1500 } }],
    ['weed under $20 a gram', { categories: ['Flower'], price: { below: 2000, perGram: true } }],
    ['gummies up to $30', { price: { below: 3001, isInclusive: true } }],
    ['no more than 30 dollars for gummies', { price: { below: 3001, isInclusive: true } }],
    ['prerolls between 5 and $10', { categories: ['Pre-Rolls'], price: { min: 500, below: 1001 } }],
    ['strongest indica', { strainType: 'indica', sort: 'potency' }],
    ['edibles on sale', { categories: ['Edibles'], isOnSale: true }],
    ['dispensaries open now', noProduct],
  ])('finds the products of “%s”', (question, product) => expect(readQuestion(question).product).toMatchObject(product))

  test('takes under 200 ms, no matter how many places a question seems to name', () => {
    readQuestion('farms in Denver')
    const question = 'o in '.repeat(60)
    const times = [1, 2, 3].map(() => processorMs(() => readQuestion(question)))
    expect(Math.min(...times)).toBeLessThan(200)
  })
})

describe('the time in a question', () => {
  // A Friday at 6 PM.
  const friday = new Date('2026-06-12T18:00:00-06:00')
  const resolved = (question: string) => {
    const { time } = readQuestion(question)
    const at = time && resolveTime(time as Exclude<AskedTime, { kind: 'always' }>, 'America/Denver', friday)
    if (!at) return null
    return 'date' in at ? at.date : at.instant.toISOString()
  }

  test.each([
    ['open right now', '2026-06-13T00:00:00.000Z'],
    ['open on sunday', '2026-06-14'],
    ['open tomorrow', '2026-06-13'],
    ['open at 9 pm', '2026-06-13T03:00:00.000Z'],
    ['open at 1am', '2026-06-13T07:00:00.000Z'],
    ['open past 11 tonight', '2026-06-13T05:01:00.000Z'],
    ['open until midnight', '2026-06-13T05:59:00.000Z'],
    ['open at 7am saturday', '2026-06-13T13:00:00.000Z'],
    ['open monday at 8pm', '2026-06-16T02:00:00.000Z'],
    ['open before 8 am', '2026-06-13T13:59:00.000Z'],
    ['open tomorrow morning at 9', '2026-06-13T15:00:00.000Z'],
    ['weed under $20', null],
  ])('of “%s” is %s', (question, expected) => expect(resolved(question)).toBe(expected))
})

test('recognizes small talk only if nothing else is asked', () => {
  for (const text of ['hi', 'hello there', 'thanks', 'good morning', 'who are you', 'tell me a joke'])
    expect(smallTalk.test(text), text).toBe(true)
  for (const text of ['hi where is lanternfold', 'help with my password', 'cool gummies']) expect(smallTalk.test(text), text).toBe(false)
})

describe('the help index', () => {
  const help = createHelpIndex({ name: 'Sungrove', slug: 'sungrove' })
  const first = (question: string) => help.find(subjectsOf(question), 1)[0]

  test.each([
    ['I forgot my password', 'I forgot my password'],
    ['change password', 'How do I change my password?'],
    ['how do I change my email', 'How do I change my email address?'],
    ['who sees my location', 'Who sees my location?'],
    ['what does subscribing do', 'What does subscribing do?'],
    ['can i order online for pickup', 'Can I order or buy products online here?'],
  ])('answers “%s” with “%s”', (question, title) => expect(first(question)?.title).toBe(title))

  test.each([
    ['How do I upload my menu as a CSV?', '/resources#menus'],
    ['Can I invite my staff?', '/resources#team'],
    ['how do I claim my listing', '/resources#listed'],
    ['why was my post held?', '/help#write'],
    ['how do I export my data', '/help#account'],
  ])('answers “%s” from %s', (question, path) => expect(first(question)?.path).toBe(path))

  test('finds nothing for unknown topics', () => {
    expect(first('parking meters downtown')).toBeUndefined()
    expect(first('')).toBeUndefined()
  })

  test('has text without link markup', () => {
    expect(help.articles.filter(({ text }) => /\]\(|\*\*/.test(text))).toEqual([])
    expect(help.articles.every(({ text, path }) => text !== '' && path.startsWith('/'))).toBe(true)
  })
})
