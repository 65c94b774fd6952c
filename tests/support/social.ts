import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

/** Inserts a post directly, without side effects. */
export async function addPost(db: Db, details: Partial<Insertable<DB['posts']>> & { author_id: string }): Promise<string> {
  const id = newId()
  await db
    .insertInto('posts')
    .values({ id, title: 'A title', content: 'Some words', ...details })
    .execute()
  return id
}

export async function addComment(db: Db, details: Partial<Insertable<DB['comments']>> & { post_id: string; author_id: string }) {
  const id = newId()
  await db
    .insertInto('comments')
    .values({ id, content: 'A comment', ...details })
    .execute()
  return id
}

export async function addReview(db: Db, details: { business_id: string; user_id: string; review?: string }): Promise<string> {
  const id = newId()
  await db
    .insertInto('reviews')
    .values({ id, rating: 5, ...details })
    .execute()
  return id
}

export const addLike = (db: Db, postId: string, userId: string) =>
  db.insertInto('post_likes').values({ post_id: postId, user_id: userId }).execute()

export const followBusiness = (db: Db, userId: string, businessId: string) =>
  db.insertInto('business_follows').values({ user_id: userId, business_id: businessId }).execute()

export const followPerson = (db: Db, followerId: string, personId: string) =>
  db.insertInto('person_follows').values({ follower_id: followerId, person_id: personId }).execute()

export const subscribeTo = (db: Db, userId: string, businessId: string) =>
  db.insertInto('subscriptions').values({ user_id: userId, business_id: businessId }).execute()

export const joinBusiness = (db: Db, userId: string, businessId: string, role: 'owner' | 'manager' | 'staff' = 'owner') =>
  db.insertInto('business_members').values({ user_id: userId, business_id: businessId, role }).execute()

export const blockPerson = (db: Db, blockerId: string, blockedId: string) =>
  db.insertInto('person_blocks').values({ blocker_id: blockerId, blocked_id: blockedId }).execute()

let people = 0

/** Adds accounts quickly, without sign-ins: followers, likers and other counted people. */
export async function addPeople(db: Db, count: number, details: Partial<Insertable<DB['users']>> = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    const number = ++people
    return {
      id: newId(),
      email: `someone-${number}-${process.pid}@example.com`,
      first_name: 'Someone',
      last_name: `${number}`,
      birthday: '1985-05-05',
      ...details,
    }
  })
  await db.insertInto('users').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** A group of businesses that the person owns, and a friend's group that gives them a role. */
export async function addGroups(db: Db, person: string, friend: string): Promise<void> {
  const created_at = new Date()
  const [own, friends] = [newId(), newId()]
  await db
    .insertInto('business_groups')
    .values([
      { id: own, owner_id: person, name: 'My shops', created_at },
      { id: friends, owner_id: friend, name: 'Their shops', created_at },
    ])
    .execute()
  await db.insertInto('business_group_members').values({ group_id: friends, user_id: person, role: 'staff', created_at }).execute()
}
