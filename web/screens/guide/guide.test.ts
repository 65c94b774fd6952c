import { expect, test } from 'vitest'
import { answerLines } from './guide.tsx'
import { targetOf } from './guide-steps.tsx'

const green = { title: 'Green Leaf', path: '/business/green-leaf' }
const help = { title: 'How do I search?', path: '/help#find' }

test('lists an answer’s records with their links and leaves other text unchanged', () => {
  expect(answerLines({ answer: 'This is what I found:\nGreen Leaf: dispensary in Denver, CO.', links: [green, help] })).toEqual({
    text: 'This is what I found:',
    records: [{ link: green, fact: 'dispensary in Denver, CO.' }],
    links: [help],
  })
})

test('lists all links separately from an answer in sentences', () => {
  const answer = 'Type a name.\nGreen Leafs: none of ours.'
  expect(answerLines({ answer, links: [green, help] })).toEqual({ text: answer, records: [], links: [green, help] })
})

test('keeps the filters that the answer used in the link to a list', () => {
  expect(targetOf('/discover?near=Denver%2C+CO&type=dispensary&open=true')).toEqual({
    pathname: '/discover',
    search: { near: 'Denver, CO', type: 'dispensary', open: true },
    hash: '',
  })
  expect(targetOf('/help#find')).toEqual({ pathname: '/help', search: {}, hash: 'find' })
})
