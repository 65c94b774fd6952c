import { expect, it } from 'vitest'
import type { Mention } from '#contracts/posts.ts'
import { mentionQueryAt, mentionsWithoutSpaces, shiftMentions, splitMentions } from './mentions.ts'

const ann = { kind: 'person' as const, id: 'ann', start: 4, length: 4 }
const farm = { kind: 'business' as const, id: 'farm', start: 13, length: 5 }
const text = 'Hi, @Ann and @Farm!'.replace('Hi, ', 'Hi  ')

it('keeps mentions before a change, moves those after it, and drops those it touches', () => {
  expect(shiftMentions([ann, farm], text, text.replace('and', 'with'))).toEqual([ann, { ...farm, start: 14 }])
  expect(shiftMentions([ann, farm], text, `Oh! ${text}`)).toEqual([
    { ...ann, start: 8 },
    { ...farm, start: 17 },
  ])
  expect(shiftMentions([ann, farm], text, text.replace('@Ann', '@Anna'))).toEqual([{ ...farm, start: 14 }])
  expect(shiftMentions([ann, farm], text, text.replace('@Ann', '@An'))).toEqual([{ ...farm, start: 12 }])
  expect(shiftMentions([ann, farm], text, text.replace('@Farm', '@F'))).toEqual([ann])
  expect(shiftMentions([ann, farm], text, '')).toEqual([])
  expect(shiftMentions([ann, farm], text, text)).toEqual([ann, farm])
})

it('counts positions from the first character that isn’t a space', () => {
  expect(mentionsWithoutSpaces(`  ${text}`, [{ ...ann, start: 6 }])).toEqual([ann])
})

it('finds the name being typed, but not an email address or a finished mention', () => {
  const query = (typed: string) => mentionQueryAt(typed, typed.length, [])
  expect(query('@A')).toEqual({ start: 0, text: 'A' })
  expect(query('Hi @Ann La')).toEqual({ start: 3, text: 'Ann La' })
  expect(query('(@Zoë')).toEqual({ start: 1, text: 'Zoë' })
  expect(query('@')).toBeNull()
  expect(query('ann@example')).toBeNull()
  expect(query('@Ann of the green hills')).toBeNull()
  expect(mentionQueryAt('@Ann and', 4, [])).toEqual({ start: 0, text: 'Ann' })
  expect(mentionQueryAt('@Ann', 4, [{ ...ann, start: 0 }])).toBeNull()
})

it('splits a text at its mentions, except mentions cut off by folding', () => {
  const mentions = [ann, farm].map((each): Mention => ({ ...each, path: `/${each.id}` }))
  expect(splitMentions(text, text, mentions).map((part) => [part.text, part.mention?.id])).toEqual([
    ['Hi  ', undefined],
    ['@Ann', 'ann'],
    [' and ', undefined],
    ['@Farm', 'farm'],
    ['!', undefined],
  ])
  expect(splitMentions('Hi  @Ann and @F …', text, mentions).map((part) => part.text)).toEqual(['Hi  ', '@Ann', ' and @F …'])
})
