import { expect, test } from 'vitest'
import { chanceText, movedSince, sensitivityText, verdictText } from './weights-card.tsx'

const nameOf = (id: string) => `#${id}`
const traitName = (id: string) => ({ a: 'Aroma', y: 'Yield' })[id] ?? id

test('never calls a chance zero or certain', () => {
  expect([0, 0.004, 0.41, 0.996, 1].map(chanceText)).toEqual(['under 1%', 'under 1%', '41%', 'over 99%', 'over 99%'])
})

test('names the leader, its chance, and the phenos within reach', () => {
  expect(verdictText({ kind: 'clear', leaderId: '7', withinReach: ['3'] }, 0.86, nameOf)).toBe('Keep #7: 86% chance it’s the best.')
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['3'] }, 0.4, nameOf)).toContain('Keep #7 and #3 for now:')
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['3', '4'] }, 0.4, nameOf)).toContain('Keep #7, #3 and #4 for now:')
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['1', '2', '3', '4', '5'] }, 0.4, nameOf)).toContain(
    'Keep #7 and 5 others for now:',
  )
  expect(verdictText({ kind: 'no-weights' }, 0, nameOf)).toContain('weight')
})

test('points out a pheno with a higher chance than the leader’s', () => {
  const verdict = { kind: 'too-close' as const, leaderId: '7', withinReach: ['3'] }
  expect(verdictText(verdict, 0.15, nameOf, [{ id: '3', rank: 2, pBest: 0.21 }])).toContain(
    '#7 leads with a 15% chance of being the best. #3 has a higher chance, 21%, because less is known about it. Keep #7 and #3',
  )
  expect(verdictText(verdict, 0.4, nameOf, [{ id: '3', rank: 2, pBest: 0.3 }])).toContain('#7 leads with a 40% chance')
})

test('describes two phenos with the same chance as tied', () => {
  const verdict = { kind: 'too-close' as const, leaderId: '7', withinReach: ['3'] }
  expect(verdictText(verdict, 0.381, nameOf, [{ id: '3', rank: 2, pBest: 0.384 }])).toBe(
    'Too close to call. #7 and #3 are tied, each with a 38% chance of being the best. Keep #7 and #3 for now: 90% chance the best is among them.',
  )
})

test('describes all phenos with the leader’s score as tied', () => {
  const verdict = { kind: 'too-close' as const, leaderId: '3', withinReach: ['12'] }
  const tied = (chanceOf7: number) => [
    { id: '7', rank: 1, pBest: chanceOf7 },
    { id: '12', rank: 1, pBest: 0.3 },
    { id: '4', rank: 4, pBest: 0.1 },
  ]
  expect(verdictText(verdict, 0.3, nameOf, tied(0.3))).toContain('#3, #7 and #12 are tied, each with a 30% chance of being the best.')
  expect(verdictText(verdict, 0.3, nameOf, tied(0.28))).toContain('#3, #7 and #12 are tied for the lead.')
  expect(sensitivityText({ winnerId: '3', changes: [], overtakers: [] }, nameOf, traitName, ['3', '7', '12'])).toEqual([
    'No other pheno would lead if weights moved by 20%. #3, #7 and #12 have the same score.',
  ])
})

test('names a weight that changes the winner, or states what a combination of weights changes', () => {
  const change = (traitId: string, factor: number, winnerId: string) => ({ traitId, factor, winnerId, changesWinner: winnerId !== '7' })
  const steady = [change('a', 0.8, '7'), change('a', 1.2, '7')]
  expect(sensitivityText({ winnerId: '7', changes: [...steady, change('y', 1.2, '3')], overtakers: [] }, nameOf, traitName)).toEqual([
    'If Yield counted 20% more, #3 would lead.',
  ])
  expect(sensitivityText({ winnerId: '7', changes: steady, overtakers: [] }, nameOf, traitName)).toEqual([
    '#7 leads even if any weights move by 20%.',
  ])
  expect(sensitivityText({ winnerId: '7', changes: steady, overtakers: [{ id: '4', points: 1 }] }, nameOf, traitName)[0]).toContain('#4')
})

test('keeps weights that were moved while others were saved', () => {
  expect(movedSince({ a: 3, y: 5, v: 1 }, { a: 3, y: 4 })).toEqual({ y: 5, v: 1 })
})
