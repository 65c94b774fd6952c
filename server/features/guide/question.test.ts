import { describe, expect, test } from 'vitest'
import { createHelpIndex, subjectsOf } from './help-index.ts'
import { readQuestion } from './question.ts'

describe('a question', () => {
  test.each([
    [
      'Which dispensaries in Denver have the best ratings?',
      { type: 'dispensary', place: 'Denver, CO', isAboutBusinesses: true, words: [] },
    ],
    ['farms near Eugene, OR', { type: 'farm', place: 'Eugene, OR', isAboutBusinesses: true, words: [] }],
    ['Show me dispensaries near me', { type: 'dispensary', place: null, isNearMe: true, isAboutBusinesses: true }],
    ['show me glass shops', { type: 'glass_shop', isAboutBusinesses: true }],
    ['Is there a community for outdoor growers?', { isAboutCommunities: true, category: 'growing' }],
    ['What is Blue Dream?', { isAboutBusinesses: false, isAboutCommunities: false, words: ['blue', 'dream'] }],
    ['How do I set my opening hours?', { isAboutBusinesses: false, place: null }],
    ['highest rated farms in Oregon', { type: 'farm', place: 'Oregon', isAboutBusinesses: true }],
  ])('finds the search terms of “%s”', (question, wanted) => expect(readQuestion(question)).toMatchObject(wanted))

  test('looks up a limited number of places, however many it seems to name', () => {
    readQuestion('farms in Denver')
    const question = 'o in '.repeat(60)
    const times = [1, 2, 3].map(() => {
      const from = performance.now()
      readQuestion(question)
      return performance.now() - from
    })
    expect(Math.min(...times)).toBeLessThan(40)
  })
})

describe('the help index', () => {
  const help = createHelpIndex({ name: 'Sungrove', slug: 'sungrove' })
  const first = (question: string) => help.find(subjectsOf(question), 1)[0]?.path

  test.each([
    ['I forgot my password', '/help#account'],
    ['what does subscribing do', '/help#keep'],
    ['How do I upload my menu as a CSV?', '/resources#menus'],
    ['Can I invite my staff?', '/resources#team'],
    ['how do I claim my listing', '/resources#listed'],
    ['why was my post held?', '/help#write'],
    ['how do I export my data', '/help#account'],
  ])('answers “%s” with %s', (question, path) => expect(first(question)).toBe(path))

  test('says nothing about what it does not know', () => {
    expect(first('parking meters downtown')).toBeUndefined()
    expect(first('')).toBeUndefined()
  })

  test('has texts without link markup', () => {
    expect(help.articles.filter(({ text }) => /\]\(|\*\*/.test(text))).toEqual([])
    expect(help.articles.every(({ text, path }) => text !== '' && path.startsWith('/'))).toBe(true)
  })
})
