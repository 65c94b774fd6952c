import { expect, it } from 'vitest'
import { demoBusinesses } from './demo-businesses.ts'
import { demoComments } from './demo-comments.ts'
import { demoBusinessFollows, demoFavorites, demoPeopleFollows, demoSubscriptions } from './demo-follows.ts'
import { demoLikes } from './demo-likes.ts'
import { demoPeople } from './demo-people.ts'
import { demoPeoplePosts } from './demo-people-posts.ts'
import { demoPosts } from './demo-posts.ts'
import { demoReviews } from './demo-reviews.ts'

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

/** Everything that somebody said or did: who, and how long ago. */
const deeds = [
  ...posts.map(({ author, daysAgo, title }) => ({ person: author, daysAgo, what: title })),
  ...comments.map(({ by, daysAgo, content }) => ({ person: personBehind(by), daysAgo, what: content })),
  ...demoReviews.map(({ person, daysAgo, business }) => ({ person, daysAgo, what: `review of ${business}` })),
  ...[demoSubscriptions, demoBusinessFollows, demoPeopleFollows, demoFavorites].flatMap((links) =>
    Object.entries(links).flatMap(([person, to]) => Object.entries(to).map(([what, daysAgo]) => ({ person, daysAgo, what }))),
  ),
]

it('has different keys for all people and businesses, and a title for one post alone', () => {
  const keys = [...joined.keys(), ...businesses.keys()]
  expect(new Set(keys).size).toBe(keys.length)
  expect(new Set(posts.map(({ title }) => title)).size).toBe(posts.length)
  for (const title of [...Object.keys(demoLikes), ...Object.keys(demoComments)]) expect(postOf(title), title).toBeDefined()
})

it('lets nobody do anything before they joined, or in the future', () => {
  for (const { person, daysAgo, what } of deeds) {
    expect(joined.get(person), `${person}: ${what}`).toBeGreaterThan(daysAgo)
    expect(daysAgo, `${person}: ${what}`).toBeGreaterThan(0)
  }
})

it('lets nothing be about a business that was not open yet', () => {
  for (const { business, title, daysAgo } of demoPosts) expect(opened(business), title).toBeGreaterThan(daysAgo)
  for (const { business, person, daysAgo } of demoReviews) expect(opened(business), person).toBeGreaterThan(daysAgo)
  for (const [person, to] of [demoSubscriptions, demoBusinessFollows, demoFavorites].flatMap((links) => Object.entries(links)))
    for (const [business, daysAgo] of Object.entries(to)) expect(opened(business), `${person}: ${business}`).toBeGreaterThan(daysAgo)
})

it('is said in the order in which it was heard', () => {
  for (const { content, daysAgo, before } of comments) expect(daysAgo, content).toBeLessThan(before)
  for (const list of Object.values(demoComments))
    for (const said of [list, ...list.map(({ replies = [] }) => replies)])
      expect(said.map(({ daysAgo }) => daysAgo)).toEqual(said.map(({ daysAgo }) => daysAgo).toSorted((a, b) => b - a))
  for (const { person, business, daysAgo, reply } of demoReviews)
    if (reply) expect(reply.daysAgo, `${person} on ${business}`).toBeLessThan(daysAgo)
})

it('shows exclusive posts to subscribers alone', () => {
  const mayRead = ({ business, author, daysAgo }: Written, person: string) =>
    person === author || (demoSubscriptions[person]?.[business as string] ?? 0) > daysAgo
  for (const post of posts.filter(({ isExclusive }) => isExclusive)) {
    for (const person of demoLikes[post.title] ?? []) expect(mayRead(post, person), `${person} likes ${post.title}`).toBe(true)
    for (const { by, title } of comments) if (title === post.title) expect(mayRead(post, personBehind(by)), `${by} on ${title}`).toBe(true)
  }
})

it('has nobody review, vote for or like the same twice, or what is their own', () => {
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

it('fills what a first start shows', () => {
  const counts = [...businesses.keys()].map((key) => demoReviews.filter(({ business }) => business === key).length)
  expect(counts.filter((count) => count >= 5).length).toBeGreaterThanOrEqual(4)
  expect(demoReviews.filter(({ isFreebie }) => isFreebie)).toHaveLength(1)
  expect(demoReviews.filter(({ reply }) => reply).length).toBeGreaterThan(5)
  expect(posts.filter(({ daysAgo }) => daysAgo < 3).length).toBeGreaterThan(10)
  expect(posts.some(({ isExclusive, title }) => isExclusive && (demoComments[title]?.length ?? 0) > 1)).toBe(true)
})
