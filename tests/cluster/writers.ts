import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from '#bench/in-lanes.ts'
import { below, oneOf, type Random, randomAt } from '#bench/random.ts'
import { signUp } from '#bench/sign-in.ts'
import type { Agreement, Checkout } from '#contracts/billing.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import type { Post } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { type Caller, GivenUp } from './caller.ts'

export type Person = { name: string; email: string; cookie: string; id: string }
type Writer = Person & { number: number; conversationId: string; partnerId: string }

/** The writes that nodes have confirmed. */
export type Ledger = {
  startedAt: Date
  /** By the marker in the title. */
  posts: Map<string, { id: string; authorId: string }>
  /** By the marker in the text. */
  comments: Map<string, { id: string; postId: string; postAuthorId: string; authorId: string; isHeld: boolean }>
  /** By ID. */
  messages: Map<string, { marker: string; conversationId: string; senderId: string; receiverId: string }>
  /** Whether the post is liked, by post and person. */
  likes: Map<string, boolean>
  /** Whether the person is followed, by follower and person. */
  follows: Map<string, boolean>
  orders: { buyerId: string; planId: string; checkoutId: string; agreementId: string }[]
  /** Writes with an uncertain result at the end. */
  unsettled: string[]
}

export type Crowd = {
  writers: readonly Writer[]
  /** Readers follow each writer, and writers follow some of them. */
  readers: readonly Person[]
  buyers: readonly Person[]
}

const plans = ['verified', 'pro', 'vip'] as const
const readerCount = 4
const accountsAtOnce = 4

/** Signs everyone up. `writers` must be even, because writers message each other in pairs. */
export async function gatherCrowd(caller: Caller, origin: string, counts: { writers: number; buyers: number }): Promise<Crowd> {
  const join = async (name: string): Promise<Person> => {
    const cookie = await signUp(origin, name)
    const user = await caller.accomplish<{ id: string }>({ method: 'GET', path: '/api/auth/user', cookie })
    return { name, email: `${name}@bench.example`, cookie, id: user.id }
  }
  const group = (kind: string, count: number) => inLanes(accountsAtOnce, count, (i) => join(`${kind}.${i}`))
  const people = await group('writer', counts.writers)
  const readers = await group('reader', readerCount)
  const buyers = await group('buyer', counts.buyers)
  const follow = ({ cookie }: Person, { id }: Person) => caller.accomplish({ method: 'PUT', path: `/api/people/${id}/follow`, cookie })
  const partnerOf = (i: number) => people[i ^ 1] as Person
  for (const [i, writer] of people.entries()) {
    for (const follower of [partnerOf(i), ...readers]) await follow(follower, writer)
    // Emails each notification separately, so a missing or repeated one is noticed.
    await caller.accomplish({
      method: 'PATCH',
      path: '/api/notification-preferences',
      cookie: writer.cookie,
      body: { emailRhythm: 'each' },
    })
  }
  const writers = await inLanes(1, people.length, async (i): Promise<Writer> => {
    const [writer, partner] = [people[i] as Person, partnerOf(i)]
    const conversation = await caller.accomplish<Conversation>({
      method: 'POST',
      path: '/api/conversations',
      cookie: writer.cookie,
      body: { to: { kind: 'person', id: partner.id } },
    })
    return { ...writer, number: i, conversationId: conversation.id, partnerId: partner.id }
  })
  return { writers, readers, buyers }
}

export type Writing = {
  ledger: Ledger
  /** Stops once the current writes have a certain result. */
  stop(): Promise<void>
}

type Options = { seed: number; pauseMs: number; orderPauseMs: number }

/** Everyone writes until `stop`. */
export function startWriting(caller: Caller, crowd: Crowd, { seed, pauseMs, orderPauseMs }: Options): Writing {
  const ledger: Ledger = {
    startedAt: new Date(),
    posts: new Map(),
    comments: new Map(),
    messages: new Map(),
    likes: new Map(),
    follows: new Map(),
    orders: [],
    unsettled: [],
  }
  let isOver = false
  /** The latest posts, which others comment on and like. */
  const latest: { id: string; authorId: string }[] = []
  let made = 0
  // The texts are too short to count as repeated, and the marker isn't a link.
  const marker = ({ number }: Writer) => `w${number}n${++made}`

  const acts = {
    async post(writer: Writer) {
      const mark = marker(writer)
      const { id } = await caller.accomplish<Post>({
        method: 'POST',
        path: '/api/posts',
        cookie: writer.cookie,
        key: newId(),
        body: { title: `Row ${mark}`, content: 'The last row came down on Thursday.', postType: 'update', businessId: null },
      })
      ledger.posts.set(mark, { id, authorId: writer.id })
      latest.push({ id, authorId: writer.id })
      if (latest.length > 40) latest.shift()
    },
    async comment(writer: Writer, random: Random) {
      const post = anothers(writer, random)
      if (!post) return
      const mark = marker(writer)
      const comment = await caller.accomplish<Comment>({
        method: 'POST',
        path: `/api/posts/${post.id}/comments`,
        cookie: writer.cookie,
        key: newId(),
        body: { content: `Ours took a week longer. ${mark}` },
      })
      const isHeld = comment.moderation !== null
      ledger.comments.set(mark, { id: comment.id, postId: post.id, postAuthorId: post.authorId, authorId: writer.id, isHeld })
    },
    async like(writer: Writer, random: Random) {
      const post = anothers(writer, random)
      if (!post) return
      const isLiked = random() < 0.8
      await caller.accomplish({ method: isLiked ? 'PUT' : 'DELETE', path: `/api/posts/${post.id}/like`, cookie: writer.cookie })
      const key = `${post.id} ${writer.id}`
      if (isLiked || ledger.likes.has(key)) ledger.likes.set(key, isLiked)
    },
    async follow(writer: Writer, random: Random) {
      const reader = oneOf(random, crowd.readers)
      const isFollowed = random() < 0.6
      await caller.accomplish({ method: isFollowed ? 'PUT' : 'DELETE', path: `/api/people/${reader.id}/follow`, cookie: writer.cookie })
      const key = `${writer.id} ${reader.id}`
      if (isFollowed || ledger.follows.has(key)) ledger.follows.set(key, isFollowed)
    },
    async message(writer: Writer) {
      const [id, mark] = [newId(), marker(writer)]
      await caller.accomplish<Message>({
        method: 'POST',
        path: `/api/conversations/${writer.conversationId}/messages`,
        cookie: writer.cookie,
        body: { id, content: `See you on Friday. ${mark}` },
      })
      ledger.messages.set(id, { marker: mark, conversationId: writer.conversationId, senderId: writer.id, receiverId: writer.partnerId })
    },
  }
  const weighted: (keyof typeof acts)[] = ['post', 'comment', 'comment', 'like', 'like', 'follow', 'message', 'message']

  function anothers(writer: Person, random: Random) {
    const others = latest.filter(({ authorId }) => authorId !== writer.id)
    return others[below(random, Math.max(1, others.length))]
  }

  /** Buys as the page does, and repeats each step with an uncertain result. */
  async function buy(buyer: Person, planId: string): Promise<void> {
    const { cookie } = buyer
    const checkout = await caller.accomplish<Checkout>({
      ...{ method: 'POST', path: '/api/billing/checkouts', cookie, key: newId() },
      body: { provider: 'test', planId },
    })
    const path = `/api/billing/checkouts/${checkout.id}`
    const approved = await caller.settle({
      ...{ method: 'POST', path: `/api/billing/test/checkouts/${checkout.id}/answers`, cookie },
      body: { outcome: 'approve' },
    })
    // Refused if the provider's message about an earlier attempt, which got no response, has already completed the checkout.
    if (approved.status < 300) {
      const { subscriptionID } = approved.body as { subscriptionID: string }
      await caller.accomplish({ method: 'POST', path: `${path}/approval`, cookie, body: { subscriptionID } })
    }
    const bought = await caller.accomplish<Checkout>({ method: 'GET', path, cookie })
    const agreements = await caller.accomplish<Agreement[]>({ method: 'GET', path: '/api/billing/agreements', cookie })
    const agreement = agreements.find((each) => each.planId === planId)
    if (bought.status !== 'approved' || !agreement) throw new GivenUp(`${buyer.name} approved ${planId} and didn't get it`)
    ledger.orders.push({ buyerId: buyer.id, planId, checkoutId: checkout.id, agreementId: agreement.id })
  }

  const persist = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
      ledger.unsettled.push(error.message)
    }
  }
  const write = async (writer: Writer) => {
    const random = randomAt(seed, 1, writer.number)
    while (!isOver) {
      const act = oneOf(random, weighted)
      await persist(() => acts[act](writer, random))
      await sleep(pauseMs * 2 * random())
    }
  }
  const orders = crowd.buyers.flatMap((buyer) => plans.map((planId) => ({ buyer, planId })))
  const order = async (lane: number) => {
    const random = randomAt(seed, 2, lane)
    for (let next = orders.pop(); next && !isOver; next = orders.pop()) {
      const { buyer, planId } = next
      await persist(() => buy(buyer, planId))
      await sleep(orderPauseMs * 2 * random())
    }
  }
  const running = Promise.all([...crowd.writers.map(write), order(0), order(1)])
  return {
    ledger,
    async stop() {
      isOver = true
      await running
    },
  }
}
