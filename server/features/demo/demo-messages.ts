/** `between` are two people, or a person and a business; `by` names who says it. */
export type DemoConversation = {
  between: [person: string, other: string]
  /** Whether the second has not accepted yet. */
  isRequest?: boolean
  /** How many of the last the other side of whoever wrote last has not read. */
  unread: number
  messages: { by: string; content: string; daysAgo: number }[]
}

export const demoConversations: DemoConversation[] = [
  {
    between: ['wren', 'hollis'],
    unread: 1,
    messages: [
      { by: 'hollis', content: 'Your plant three wants a stake. Left side.', daysAgo: 0.65 },
      { by: 'wren', content: 'It has one since this morning. It is leaning right now.', daysAgo: 0.6 },
      { by: 'hollis', content: 'Then it was never about the stake. Send me a picture when the light is on.', daysAgo: 0.5 },
    ],
  },
  {
    between: ['wren', 'lanternfold'],
    unread: 1,
    messages: [
      { by: 'wren', content: 'Is the card from the lower terrace still in the drawer?', daysAgo: 2.2 },
      { by: 'lanternfold', content: 'It is. Bed 12 to 18, in pencil. Ask for it at the register.', daysAgo: 2 },
      { by: 'lanternfold', content: 'And somebody added a second page yesterday.', daysAgo: 0.8 },
    ],
  },
  {
    between: ['desmond', 'lanternfold'],
    unread: 1,
    messages: [{ by: 'desmond', content: 'Are you open on the Friday after Thanksgiving?', daysAgo: 0.2 }],
  },
  {
    between: ['sunniva', 'theo'],
    unread: 0,
    messages: [
      { by: 'sunniva', content: 'Which of your three farms would you visit first with somebody who asks too much?', daysAgo: 7 },
      { by: 'theo', content: 'The one in Portland. She answers in tables.', daysAgo: 6.8 },
    ],
  },
  {
    between: ['tobin', 'wren'],
    isRequest: true,
    unread: 1,
    messages: [
      { by: 'tobin', content: 'You wrote about the straight tube a while ago. May I quote you on a card in the shop?', daysAgo: 0.35 },
    ],
  },
]
