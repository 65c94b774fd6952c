import { expect, test } from 'vitest'
import { countSentence, discoverHeading, emptyAdvice, rankingSentence } from './results.tsx'

const denver = { label: 'Denver, CO', radiusMiles: 25, otherText: '' }
const colorado = { label: 'Colorado', radiusMiles: null, otherText: '' }

test.each([
  [{}, { total: 9, place: null }, 'Discover'],
  [{ near: 'denver' }, { total: 9, place: denver }, 'Near Denver, CO'],
  [{ search: 'denver' }, { total: 9, place: denver }, 'Near Denver, CO'],
  [{ near: 'Colorado' }, { total: 9, place: colorado }, 'In Colorado'],
  [{ near: '39.74,-104.99' }, { total: 9, place: { ...denver, label: 'Chosen point' } }, 'Near your location'],
  [{ near: '39.74,-104.99' }, null, 'Near your location'],
  // Before the response, the heading only uses text formatted like a place.
  [{ near: 'Denver, CO' }, null, 'Near Denver, CO'],
  [{ near: 'denver' }, null, 'Discover'],
  [{ near: 'Denver, CO' }, { total: 0, place: null }, 'Discover'],
  [{ area: '-105,39,-104,40' }, { total: 9, place: null }, 'Discover'],
])('composes the heading of the search %o with the results %o: %s', (search, found, heading) => {
  expect(discoverHeading(search, found)).toBe(heading)
})

test.each([
  [{}, { total: 9012, place: null }, '9,012 businesses.'],
  [{ near: 'Denver' }, { total: 214, place: denver }, '214 businesses within 25 miles.'],
  [{ near: 'Denver', radius: 1 }, { total: 1, place: { ...denver, radiusMiles: 1 } }, '1 business within 1 mile.'],
  [
    { near: 'Fargo' },
    { total: 12, place: { ...denver, radiusMiles: 250 } },
    'Fewer than ten businesses within 50 miles, so here are 12 within 250 miles.',
  ],
  [
    { near: 'Fargo', search: 'green' },
    { total: 1, place: { ...denver, radiusMiles: 500 } },
    'Fewer than ten businesses match within 50 miles, so here is 1 within 500 miles.',
  ],
  [{ near: 'Fargo' }, { total: 0, place: { ...denver, radiusMiles: 50 } }, '0 businesses within 50 miles.'],
  [{ near: 'Fargo', open: true }, { total: 0, place: denver }, 'No business within 25 miles is known to be open now.'],
  [
    { near: 'Fargo', open: true, search: 'green' },
    { total: 0, place: denver },
    'No business that matches “green” within 25 miles is known to be open now.',
  ],
  [
    { near: 'Fargo', open: true },
    { total: 2, place: { ...denver, radiusMiles: 250 } },
    'Fewer than ten businesses are known to be open now within 50 miles, so here are 2 within 250 miles.',
  ],
  [{ search: 'green' }, { total: 3, place: null }, '3 businesses match “green”.'],
  [{ search: 'green', near: 'Denver' }, { total: 1, place: denver }, '1 business matches “green” within 25 miles.'],
  [{ search: 'zebra', near: 'Denver' }, { total: 0, place: denver }, 'No business name or description matches “zebra” within 25 miles.'],
  // The text named the place, so it isn't a search term.
  [{ search: 'Denver' }, { total: 214, place: denver }, '214 businesses within 25 miles.'],
  [{ search: 'green 80202' }, { total: 1, place: { ...denver, otherText: 'green' } }, '1 business matches “green” within 25 miles.'],
  [{ near: 'Colorado' }, { total: 1020, place: colorado }, '1,020 businesses.'],
  [{ state: 'CO' }, { total: 1020, place: null }, '1,020 businesses in Colorado.'],
  [{ area: '-105,39,-104,40' }, { total: 12, place: null }, '12 businesses in this map area.'],
] as const)('describes the matches of the search %o with the results %o: %s', (search, found, sentence) => {
  expect(countSentence(search, found, 'mi')).toBe(sentence)
})

test('explains how the results are ranked', () => {
  expect(rankingSentence({ near: 'Denver' }, { total: 9, place: denver })).toBe('Ranked by rating, then license, then distance.')
  expect(rankingSentence({ search: 'denver' }, { total: 9, place: denver })).toBe('Ranked by rating, then license, then distance.')
  expect(rankingSentence({}, { total: 9, place: null })).toBe('Ranked by rating, then license.')
  expect(rankingSentence({ near: 'Colorado' }, { total: 9, place: colorado })).toBe('Ranked by rating, then license.')
  expect(rankingSentence({ near: 'Denver' }, null)).toBe('Ranked by rating, then license.')
  expect(rankingSentence({ sort: 'distance', near: 'Denver' }, { total: 9, place: denver })).toBe('Nearest first.')
  expect(rankingSentence({ sort: 'distance' }, { total: 9, place: null })).toBe('Ranked by rating, then license.')
})

test.each([
  [{ search: 'zebra' }, null, 'Check the spelling or try fewer words.'],
  [{ near: 'denver' }, { total: 0, place: denver }, 'Try a larger area.'],
  [{ search: 'denver', type: 'farm' }, { total: 0, place: denver }, 'Try fewer filters or a larger area.'],
  [{ search: 'zebra 80202' }, { total: 0, place: { ...denver, otherText: 'zebra' } }, 'Check the spelling or try fewer words.'],
  [{ state: 'CO', verified: true }, null, 'Try fewer filters.'],
  [{ near: 'denver', open: true }, { total: 0, place: denver }, 'Many listings don’t have hours.'],
  [{}, null, undefined],
] as const)('suggests what to change when the search %o finds nothing (%o): %s', (search, found, advice) => {
  expect(emptyAdvice(search, found)).toBe(advice)
})
