import { describe, expect, it } from 'vitest'
import { holdsLink } from '../../../contracts/messages.ts'
import { requestIssues, type Standing, sendingOf } from './sending.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

const strangers: Standing = {
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
const of = (details: Partial<Standing>) => sendingOf({ ...strangers, ...details }, now)
const unreachable = 'You cannot write to Dana.'
const waiting = { whyNot: 'You can write more once Dana has accepted your message.', isPending: true, asRequest: false }
const freely = { whyNot: null, isPending: false, asRequest: false }

describe('to a person', () => {
  it('the first message is a request, unless they follow', () => {
    expect(of({})).toEqual({ ...freely, asRequest: true })
    expect(of({ isFollowed: true })).toEqual(freely)
  })

  it('nothing more until it is accepted, whether it was declined, blocked or not looked at', () => {
    const asked: Partial<Standing> = { requestOf: 'own', lastMessageAt: ago(20) }
    for (const secret of [{}, { declinedAt: ago(19) }, { isBlocked: true }, { isBarred: true }, { takesFrom: 'nobody' as const }]) {
      expect(of({ ...asked, ...secret })).toEqual(waiting)
    }
    expect(of({ ...asked, isFollowed: true })).toEqual(freely)
    expect(of({ ...asked, isFollowed: true, isBlocked: true })).toEqual(waiting)
    expect(of({ ...asked, acceptedAt: ago(1) })).toEqual(freely)
  })

  it('another request may come after 60 days, and 30 after it was declined', () => {
    const asked = (days: number, details: Partial<Standing> = {}) => of({ requestOf: 'own', lastMessageAt: ago(days), ...details })
    expect(asked(59.9)).toEqual(waiting)
    expect(asked(60)).toEqual({ ...freely, asRequest: true })
    expect(asked(60, { declinedAt: ago(59) })).toEqual({ ...freely, asRequest: true })
    expect(asked(70, { declinedAt: ago(29.9) })).toEqual(waiting)
    expect(asked(70, { declinedAt: ago(30) })).toEqual({ ...freely, asRequest: true })
    expect(asked(70, { isBlocked: true }).whyNot).toBe(unreachable)
  })

  it('who asked is answered, which accepts', () => {
    expect(of({ requestOf: 'theirs', takesFrom: 'nobody' })).toEqual(freely)
    expect(of({ requestOf: 'theirs', declinedAt: ago(1) })).toEqual(freely)
    expect(of({ requestOf: 'theirs', isBlocked: true }).whyNot).toBe(unreachable)
  })

  it('whom they take messages from is theirs to say, of what begins', () => {
    expect(of({ takesFrom: 'followed' }).whyNot).toBe(unreachable)
    expect(of({ takesFrom: 'followed', isFollowed: true })).toEqual(freely)
    expect(of({ takesFrom: 'nobody', isFollowed: true }).whyNot).toBe(unreachable)
    expect(of({ takesFrom: 'nobody', acceptedAt: ago(1) })).toEqual(freely)
  })

  it('a block of theirs says no more than that they cannot be written to; one of one’s own says so', () => {
    const texts = [{ isBlocked: true }, { isBarred: true }, { takesFrom: 'nobody' as const }].map((each) => of(each).whyNot)
    expect(new Set(texts)).toEqual(new Set([unreachable]))
    expect(of({ acceptedAt: ago(1), isBlocked: true }).whyNot).toBe(unreachable)
    expect(of({ acceptedAt: ago(1), hasBlocked: true }).whyNot).toBe('You have blocked Dana. End the block to write.')
    expect(of({ acceptedAt: ago(1), isGone: true }).whyNot).toBe('This account does not exist any more.')
    expect(of({ acceptedAt: ago(1), isSilenced: true }).whyNot).toMatch(/not write for now/)
  })
})

describe('to a business', () => {
  const customer: Partial<Standing> = { between: 'customer', name: 'Green Hills', hasTeam: true }
  it('subscribers write, and those with the plan', () => {
    expect(of(customer).whyNot).toMatch(/^Subscribe to Green Hills/)
    expect(of({ ...customer, isSubscriber: true })).toEqual(freely)
    expect(of({ ...customer, hasDirectMessages: true })).toEqual(freely)
    expect(of({ ...customer, isSubscriber: true, hasBlocked: true }).whyNot).toMatch(/^You have blocked/)
  })
  it('not where nobody would read it', () => {
    expect(of({ ...customer, hasDirectMessages: true, hasTeam: false }).whyNot).toMatch(/^Nobody runs this page/)
  })
})

describe('from a business', () => {
  const team: Partial<Standing> = { between: 'team' }
  it('answers, and writes first to subscribers who take it', () => {
    expect(of(team).whyNot).toMatch(/subscribers alone/)
    expect(of({ ...team, acceptedAt: ago(300) })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true, isFollowed: true, takesFrom: 'followed' })).toEqual(freely)
    expect(of({ ...team, isSubscriber: true, takesFrom: 'nobody' }).whyNot).toBe(unreachable)
    expect(of({ ...team, acceptedAt: ago(3), isBlocked: true }).whyNot).toBe(unreachable)
  })
})

describe('a request', () => {
  const issues = (content: string, mediaIds: string[] = []) => requestIssues('Dana', { content, mediaIds }).map(({ path }) => path[0])
  it('is short, without photos and links, and says so', () => {
    expect(issues('a'.repeat(1000))).toEqual([])
    expect(issues('a'.repeat(1001))).toEqual(['content'])
    expect(issues('Hello', ['one'])).toEqual(['mediaIds'])
    expect(issues('Look: https://example.test/x')).toEqual(['content'])
    expect(requestIssues('Dana', { content: 'www.deals.example', mediaIds: [] })[0]?.message).toBe(
      'Until Dana accepts, you can send one message of at most 1000 characters, without photos and links.',
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
  ])('finds the address in “%s”', (text) => expect(holdsLink(text)).toBe(true))
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
  ])('finds none in “%s”', (text) => expect(holdsLink(text)).toBe(false))
})
