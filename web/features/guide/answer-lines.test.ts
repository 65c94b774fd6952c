import { expect, test } from 'vitest'
import { answerLines } from './answer-lines.ts'

const green = { title: 'Green Leaf', path: '/business/green-leaf' }
const help = { title: 'How do I search?', path: '/help#find' }

test('records that an answer lists stand with their links, everything else as it is', () => {
  expect(answerLines({ answer: 'This is what I found:\nGreen Leaf: dispensary in Denver, CO.', links: [green, help] })).toEqual({
    text: 'This is what I found:',
    records: [{ link: green, fact: 'dispensary in Denver, CO.' }],
    links: [help],
  })
})

test('an answer in sentences keeps all of its links', () => {
  const answer = 'Type a name.\nGreen Leafs: none of ours.'
  expect(answerLines({ answer, links: [green, help] })).toEqual({ text: answer, records: [], links: [green, help] })
})
