import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { aboutRules, allRules, citedRule, ruleFor, ruleTopics, sentenceOf, titles, topics } from './rules.ts'

const jurisdictions = JSON.parse(readFileSync(new URL('../data/jurisdictions.json', import.meta.url), 'utf8')).jurisdictions as {
  country: string
  state: string | null
  name: string
}[]

it('has a statement and a citation for every entry, and a date for every source that was read', () => {
  expect(aboutRules).toContain('not legal advice')
  for (const rule of allRules) {
    const name = `${rule.jurisdiction}: ${rule.topic}`
    expect(ruleTopics, name).toContain(rule.topic)
    expect(['banned', 'required', 'allowed'], name).toContain(rule.demand)
    expect(rule.says, name).toMatch(/^[A-Z“].{20,240}[.”]$/)
    expect(rule.citation.length, name).toBeGreaterThan(5)
    expect(['text', 'summary', 'known'], name).toContain(rule.readAs)
    if (rule.url !== null) expect(rule.url, name).toMatch(/^https:\/\//)
    if (rule.readAs === 'known') expect(rule.checkedOn, name).toBeNull()
    else expect(rule.checkedOn, name).toMatch(/^20\d\d-\d\d-\d\d$/)
    if (rule.country !== null && rule.readAs !== 'known') expect(rule.url, name).not.toBeNull()
  }
})

it('has at most one entry per topic and place, under the place’s known name', () => {
  const keys = allRules.map(({ topic, country, state }) => `${topic} ${country} ${state}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { country, state, jurisdiction } of allRules) {
    if (country === null || state === null) continue
    expect(jurisdictions.find((each) => each.country === country && each.state === state)?.name, jurisdiction).toBe(jurisdiction)
  }
})

it('applies the state’s rule, then the country’s, then the strictest common rule, labeled as such', () => {
  expect(ruleFor('health', { country: 'US', state: 'WA' })).toMatchObject({ jurisdiction: 'Washington', isOwn: true })
  expect(ruleFor('health', { country: 'US', state: 'VT' })).toMatchObject({ jurisdiction: 'United States', isOwn: true })
  expect(ruleFor('giveaway', { country: 'US', state: 'VT' })).toMatchObject({
    jurisdiction: 'Everywhere else',
    isOwn: false,
    demand: 'banned',
  })
  expect(ruleFor('giveaway', { country: 'DE', state: 'BE' })).toMatchObject({ jurisdiction: 'Germany', isOwn: true })
  for (const topic of ruleTopics) {
    const rule = ruleFor(topic, null)
    expect(rule).toMatchObject({ isOwn: false, country: null })
    if (topic !== 'sale') expect(rule.says).toContain('not in this table')
  }
})

it('has a title and a sentence for every topic, and cites the law where one exists', () => {
  for (const topic of topics) {
    expect(titles[topic]).toMatch(/^[A-Z]/)
    expect(sentenceOf(topic)).toMatch(/\.$/)
    expect(citedRule({ rule: topic }, { country: 'US', state: 'CA' }) === null).toBe(!(ruleTopics as readonly string[]).includes(topic))
  }
})
