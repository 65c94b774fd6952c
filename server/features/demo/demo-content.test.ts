import { expect, it } from 'vitest'
import { demoBusinesses } from './demo-businesses.ts'
import { demoPeople } from './demo-people.ts'
import { demoComments, demoPeoplePosts } from './demo-people-posts.ts'
import { demoPosts } from './demo-posts.ts'
import { demoCommunities, demoCommunityPosts } from './load-communities.ts'
import { demoBusinessFollows, demoFavorites, demoPeopleFollows, demoSubscriptions } from './load-follows.ts'
import { demoConversations } from './load-messages.ts'
import { demoLikes } from './load-posts.ts'
import { demoReviews } from './load-reviews.ts'

const joined = new Map(demoPeople.map(({ key, joinedDaysAgo }) => [key, joinedDaysAgo]))
const businesses = new Map(demoBusinesses.map((business) => [business.key, business]))
const opened = (key: string) => businesses.get(key)?.openedDaysAgo ?? Number.NaN
const personBehind = (by: string) => businesses.get(by)?.owner ?? by

type Written = { title: string; daysAgo: number; author: string; business: string | null; isExclusive: boolean }
const posts: Written[] = [
  ...demoPosts.map(({ title, daysAgo, business, isExclusive = false }) => ({
    title,
    daysAgo,
    author: personBehind(business),
    business,
    isExclusive,
  })),
  ...demoPeoplePosts.map(({ title, daysAgo, person }) => ({ title, daysAgo, author: person, business: null, isExclusive: false })),
]
const postOf = (title: string) => posts.find((post) => post.title === title) as Written
const comments = Object.entries(demoComments).flatMap(([title, list]) =>
  list.flatMap((comment) => [
    { ...comment, title, before: postOf(title).daysAgo },
    ...(comment.replies ?? []).map((reply) => ({ ...reply, title, before: comment.daysAgo })),
  ]),
)

const activities = [
  ...posts.map(({ author, daysAgo, title }) => ({ person: author, daysAgo, what: title })),
  ...comments.map(({ by, daysAgo, content }) => ({ person: personBehind(by), daysAgo, what: content })),
  ...demoReviews.map(({ person, daysAgo, business }) => ({ person, daysAgo, what: `review of ${business}` })),
  ...[demoSubscriptions, demoBusinessFollows, demoPeopleFollows, demoFavorites].flatMap((links) =>
    Object.entries(links).flatMap(([person, to]) => Object.entries(to).map(([what, daysAgo]) => ({ person, daysAgo, what }))),
  ),
]

it('has unique keys for people and businesses and unique post titles', () => {
  const keys = [...joined.keys(), ...businesses.keys()]
  expect(new Set(keys).size).toBe(keys.length)
  expect(new Set(posts.map(({ title }) => title)).size).toBe(posts.length)
  for (const title of [...Object.keys(demoLikes), ...Object.keys(demoComments)]) expect(postOf(title), title).toBeDefined()
})

it('has no actions before joining or in the future', () => {
  for (const { person, daysAgo, what } of activities) {
    expect(joined.get(person), `${person}: ${what}`).toBeGreaterThan(daysAgo)
    expect(daysAgo, `${person}: ${what}`).toBeGreaterThan(0)
  }
})

it('has no posts, reviews, subscriptions, follows, or favorites of a business before it opened', () => {
  for (const { business, title, daysAgo } of demoPosts) expect(opened(business), title).toBeGreaterThan(daysAgo)
  for (const { business, person, daysAgo } of demoReviews) expect(opened(business), person).toBeGreaterThan(daysAgo)
  for (const [person, to] of [demoSubscriptions, demoBusinessFollows, demoFavorites].flatMap((links) => Object.entries(links)))
    for (const [business, daysAgo] of Object.entries(to)) expect(opened(business), `${person}: ${business}`).toBeGreaterThan(daysAgo)
})

it('keeps comments, replies, and reviews in chronological order', () => {
  for (const { content, daysAgo, before } of comments) expect(daysAgo, content).toBeLessThan(before)
  for (const list of Object.values(demoComments))
    for (const said of [list, ...list.map(({ replies = [] }) => replies)])
      expect(said.map(({ daysAgo }) => daysAgo)).toEqual(said.map(({ daysAgo }) => daysAgo).toSorted((a, b) => b - a))
  for (const { person, business, daysAgo, reply } of demoReviews)
    if (reply) expect(reply.daysAgo, `${person} on ${business}`).toBeLessThan(daysAgo)
})

it('has likes and comments on exclusive posts only by people who may read them', () => {
  const mayRead = ({ business, author, daysAgo }: Written, person: string) =>
    person === author || (demoSubscriptions[person]?.[business as string] ?? 0) > daysAgo
  for (const post of posts.filter(({ isExclusive }) => isExclusive)) {
    for (const person of demoLikes[post.title] ?? []) expect(mayRead(post, person), `${person} likes ${post.title}`).toBe(true)
    for (const { by, title } of comments) if (title === post.title) expect(mayRead(post, personBehind(by)), `${by} on ${title}`).toBe(true)
  }
})

it('has no repeated or self-directed reviews, votes, or likes', () => {
  const reviewed = demoReviews.map(({ person, business }) => `${person} ${business}`)
  expect(new Set(reviewed).size).toBe(reviewed.length)
  for (const { person, business, helped = [] } of demoReviews) {
    expect(personBehind(business), business).not.toBe(person)
    expect(new Set([person, ...helped]).size, `${person} on ${business}`).toBe(helped.length + 1)
  }
  for (const [title, people] of Object.entries(demoLikes))
    expect(new Set([postOf(title).author, ...people]).size, title).toBe(people.length + 1)
  for (const [person, followed] of Object.entries(demoPeopleFollows)) expect(Object.keys(followed)).not.toContain(person)
})

it('has enough reviews, replies, posts, and comments to fill the screens on first start', () => {
  const counts = [...businesses.keys()].map((key) => demoReviews.filter(({ business }) => business === key).length)
  expect(counts.filter((count) => count >= 5).length).toBeGreaterThanOrEqual(4)
  expect(demoReviews.filter(({ isFreebie }) => isFreebie)).toHaveLength(1)
  expect(demoReviews.filter(({ reply }) => reply).length).toBeGreaterThan(5)
  expect(posts.filter(({ daysAgo }) => daysAgo < 3).length).toBeGreaterThan(10)
  expect(posts.some(({ isExclusive, title }) => isExclusive && (demoComments[title]?.length ?? 0) > 1)).toBe(true)
})

it('has community posts, likes, and votes only by members', () => {
  const communities = new Map(demoCommunities.map((community) => [community.key, community]))
  for (const { members, moderators = [], foundedDaysAgo, name } of demoCommunities) {
    expect(new Set(members).size, name).toBe(members.length)
    for (const person of moderators) expect(members, name).toContain(person)
    expect(joined.get(members[0] as string), name).toBeGreaterThan(foundedDaysAgo)
    for (const [place, person] of members.entries())
      expect(joined.get(person), `${person} in ${name}`).toBeGreaterThan(foundedDaysAgo * (1 - place / (2 * members.length)))
  }
  for (const post of demoCommunityPosts) {
    const { by, title, likes = [], comments = [], poll = [], daysAgo, acceptedComment } = post
    const { members = [], foundedDaysAgo = 0 } = communities.get(post.community) ?? {}
    const voters = poll.flatMap((option) => option.voters)
    for (const person of [by, ...likes, ...voters, ...comments.map((comment) => comment.by)]) expect(members, title).toContain(person)
    expect(likes, title).not.toContain(by)
    expect(new Set(voters).size, title).toBe(voters.length)
    expect(foundedDaysAgo, title).toBeGreaterThan(daysAgo)
    const times = [daysAgo, ...comments.map((comment) => comment.daysAgo)]
    expect(times, title).toEqual(times.toSorted((a, b) => b - a))
    expect(post.type === 'poll', title).toBe(poll.length > 0)
    if (acceptedComment !== undefined) {
      expect(post.type, title).toBe('question')
      expect(comments[acceptedComment]?.by, title).not.toBe(by)
    }
  }
})

it('has messages only between people who may write to each other', () => {
  for (const { between, messages, unread, isRequest = false } of demoConversations) {
    const [first, second] = between
    const days = messages.map(({ daysAgo }) => daysAgo)
    expect(days).toEqual(days.toSorted((a, b) => b - a))
    for (const { by } of messages) expect(between).toContain(by)
    // A stranger can send one message until it is accepted. Without a plan, people can message only businesses they subscribe to.
    if (isRequest) expect(messages).toHaveLength(1)
    if (businesses.has(second)) expect(demoSubscriptions[first]?.[second], `${first} to ${second}`).toBeGreaterThan(days[0] as number)
    const lastBy = messages.at(-1)?.by
    expect(unread).toBeLessThanOrEqual(messages.length - 1 - messages.findLastIndex(({ by }) => by !== lastBy))
  }
})
