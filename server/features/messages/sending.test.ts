import { describe, expect, it } from 'vitest'
import { containsLink } from '#contracts/messages.rules.ts'
import { type Facts, requestIssues, sendingOf } from './sending.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

const strangers: Facts = {
  between: 'people',
  name: 'Dana',
  isGone: false,
  isBarred: false,
  hasBlocked: false,
  isBlocked: false,
  isSilenced: false,
  acceptedAt: null,
  declinedAt: null,
  lastMessageAt: null,
  requestOf: null,
  isFollowed: false,
  takesFrom: 'everybody',
  isSubscriber: false,
  hasDirectMessages: false,
  hasTeam: false,
}
const of = (details: Partial<Facts>) => sendingOf({ ...strangers, ...details }, now)
const unreachable = 'You can’t message Dana.'
const waiting = {
  refusal: 'You can write more once Dana has accepted your message.',
  isPending: true,
  asRequest: false,
  needsSubscription: false,
}
const freely = { refusal: null, isPending: false, asRequest: false, needsSubscription: false }

describe('a message to a person', () => {
  it('starts with a request unless they follow the sender', () => {
    expect(of({})).toEqual({ ...freely, asRequest: true })
    expect(of({ isFollowed: true })).toEqual(freely)
  })

  it('is refused until they accept the request or follow the sender, whether it was declined, blocked, or ignored', () => {
    const asked: Partial<Facts> = { requestOf: 'own', lastMessageAt: ago(20) }
    for (const secret of [{}, { declinedAt: ago(19) }, { isBlocked: true }, { isBarred: true }, { takesFrom: 'nobody' as const }]) {
      expect(of({ ...asked, ...secret })).toEqual(waiting)
    }
    expect(of({ ...asked, isFollowed: true })).toEqual(freely)
    expect(of({ ...asked, isFollowed: true, isBlocked: true })).toEqual(waiting)
    expect(of({ ...asked, acceptedAt: ago(1) })).toEqual(freely)
  })

  it('can be a new request 60 days after the last one, but at least 30 days after a decline', () => {
    const asked = (days: number, details: Partial<Facts> = {}) => of({ requestOf: 'own', lastMessageAt: ago(days), ...details })
    expect(asked(59.9)).toEqual(waiting)
    expect(asked(60)).toEqual({ ...freely, asRequest: true })
    expect(asked(60, { declinedAt: ago(59) })).toEqual({ ...freely, asRequest: true })
    expect(asked(70, { declinedAt: ago(29.9) })).toEqual(waiting)
    expect(asked(70, { declinedAt: ago(30) })).toEqual({ ...freely, asRequest: true })
    expect(asked(70, { isBlocked: true }).refusal).toBe(unreachable)
  })

  it('is possible as a reply to a request unless they blocked the sender', () => {
    expect(of({ requestOf: 'theirs', takesFrom: 'nobody' })).toEqual(freely)
    expect(of({ requestOf: 'theirs', declinedAt: ago(1) })).toEqual(freely)
    expect(of({ requestOf: 'theirs', isBlocked: true }).refusal).toBe(unreachable)
  })

  it('respects their choice of senders for new conversations', () => {
    expect(of({ takesFrom: 'followed' }).refusal).toBe(unreachable)
    expect(of({ takesFrom: 'followed', isFollowed: true })).toEqual(freely)
    expect(of({ takesFrom: 'nobody', isFollowed: true }).refusal).toBe(unreachable)
    expect(of({ takesFrom: 'nobody', acceptedAt: ago(1) })).toEqual(freely)
  })

  it('doesn’t reveal the other person’s block but names the sender’s own', () => {
    const texts = [{ isBlocked: true }, { isBarred: true }, { takesFrom: 'nobody' as const }].map((each) => of(each).refusal)
    expect(new Set(texts)).toEqual(new Set([unreachable]))
    expect(of({ acceptedAt: ago(1), isBlocked: true }).refusal).toBe(unreachable)
    expect(of({ acceptedAt: ago(1), hasBlocked: true }).refusal).toBe('You blocked Dana. Unblock them to write.')
    expect(of({ acceptedAt: ago(1), isGone: true }).refusal).toBe('This account no longer exists.')
    expect(of({ acceptedAt: ago(1), isSilenced: true }).refusal).toMatch(/read but not write/)
  })
})

describe('a message to a business', () => {
  const customer: Partial<Facts> = { between: 'customer', name: 'Green Hills', hasTeam: true }
  it('is allowed from a subscriber or a person whose plan includes direct messages', () => {
    expect(of(customer)).toMatchObject({ refusal: expect.stringMatching(/^Subscribe to Green Hills/), needsSubscription: true })
    expect(of({ ...customer, isBlocked: true })).toMatchObject({ refusal: 'You can’t message Green Hills.', needsSubscription: false })
    expect(of({ ...customer, isSubscriber: true })).toEqual(freely)
    expect(of({ ...customer, hasDirectMessages: true })).toEqual(freely)
    expect(of({ ...customer, isSubscriber: true, hasBlocked: true }).refusal).toMatch(/^You blocked/)
  })
  it('is refused if no one would read it', () => {
    expect(of({ ...customer, hasDirectMessages: true, hasTeam: false }).refusal).toBe(
      'No one runs this business’s page, so no one would read your message.',
    )
  })
})

describe('a message from a business', () => {
  const team: Partial<Facts> = { between: 'team' }
  it('is allowed as a reply or to a subscriber who accepts messages', () => {
    expect(of(team).refusal).toMatch(/only with its subscribers/)
    expect(of({ ...team, acceptedAt: ago(300) })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true, isFollowed: true, takesFrom: 'followed' })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true, takesFrom: 'nobody' }).refusal).toBe(unreachable)
    expect(of({ ...team, acceptedAt: ago(3), isBlocked: true }).refusal).toBe(unreachable)
  })
})

describe('a request', () => {
  const issues = (content: string, mediaIds: string[] = []) => requestIssues('Dana', { content, mediaIds }).map(({ path }) => path[0])
  it('must be short and without photos or links, and the refusal states the rule', () => {
    expect(issues('a'.repeat(1000))).toEqual([])
    expect(issues('a'.repeat(1001))).toEqual(['content'])
    expect(issues('Hello', ['one'])).toEqual(['mediaIds'])
    expect(issues('Look: https://example.test/x')).toEqual(['content'])
    expect(requestIssues('Dana', { content: 'www.deals.example', mediaIds: [] })[0]?.message).toBe(
      'Until Dana accepts, you can send one message of up to 1,000 characters, without photos or links.',
    )
  })

  it.each([
    'http://x.example',
    'see www.shop.example',
    'go to deals.com',
    'Deals.COM/now',
    'a.b.shop',
    'my-shop.io?x=1',
    '(buds.cannabis)',
  ])('is found to contain a link: “%s”', (text) => expect(containsLink(text)).toBe(true))
  it.each([
    'Hello.How are you',
    'at 7.30 pm',
    'Strain #4.2',
    'e.g. this',
    'vs. that',
    'ok...com on',
    '3.5g',
    'me@example.com',
    'it is.community work',
  ])('is found to contain no link: “%s”', (text) => expect(containsLink(text)).toBe(false))
})
