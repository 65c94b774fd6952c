import { sql } from 'kysely'
import type { CommunityPostType } from '#contracts/posts.ts'
import { slugBase } from '#server/features/businesses/index.ts'
import { rankPosts } from '#server/features/posts/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { daysBefore, type LoadContext, requireKey } from './loading.ts'

/** `members` are in the order in which they joined, owner first. */
type DemoCommunity = {
  key: string
  name: string
  description: string
  category: 'growing' | 'strains' | 'medical' | 'business' | 'general'
  visibility: 'public' | 'private' | 'invite_only'
  rules: string[]
  isVerified?: boolean
  members: string[]
  moderators?: string[]
  foundedDaysAgo: number
}

export const demoCommunities: DemoCommunity[] = [
  {
    key: 'frontrange',
    name: 'Front Range Home Growers',
    description:
      'Few plants, locked rooms, honest notes. For people along the Front Range who grow what the law lets them grow, and write down what happened.',
    category: 'growing',
    visibility: 'public',
    rules: [
      'Say what you measured and with what.',
      'Nothing is sold, traded or given away here.',
      'No street addresses, and no faces of people who didn’t ask for it.',
    ],
    isVerified: true,
    members: ['sunniva', 'wren', 'desmond', 'theo', 'hollis', 'marisol', 'odile', 'marlow', 'lorne'],
    moderators: ['wren'],
    foundedDaysAgo: 80,
  },
  {
    key: 'crossnotes',
    name: 'Cross Notes',
    description: 'What was crossed with what, what came of it, and what you’d do again. For pheno hunters and readers of lineages.',
    category: 'strains',
    visibility: 'public',
    rules: ['Name both parents, or say that you don’t know.', 'A photo is an opinion; a number is a claim. Say which one it is.'],
    members: ['theo', 'odile', 'hollis', 'wren', 'marisol', 'sunniva'],
    foundedDaysAgo: 120,
  },
  {
    key: 'rampsandquiet',
    name: 'Ramps and Quiet Hours',
    description:
      'Which shops have a ramp, a chair, a quiet hour and someone who takes their time. No health questions, please. Those are for a doctor.',
    category: 'medical',
    visibility: 'public',
    rules: ['Say when you were there.', 'No claims about what cannabis does for an illness.'],
    members: ['amadou', 'priya', 'yuki', 'wren'],
    foundedDaysAgo: 70,
  },
  {
    key: 'smallcounters',
    name: 'Small Counters',
    description: 'People who run one or two licensed shops, talking about staff, paperwork and shelves. Come with an invitation, or ask.',
    category: 'business',
    visibility: 'invite_only',
    rules: ['What is said here stays here.', 'No weekly prices; that’s what the menus are for.'],
    members: ['marlow', 'ines', 'tobin', 'odile'],
    moderators: ['ines'],
    foundedDaysAgo: 200,
  },
  {
    key: 'sundaytable',
    name: 'The Sunday Table',
    description: 'Everything else: gardens, kitchens, bicycles, weather.',
    category: 'general',
    visibility: 'public',
    rules: ['Be the guest you would like to have.'],
    members: ['hollis', 'wren', 'yuki', 'priya', 'amadou', 'desmond', 'marisol', 'lorne'],
    foundedDaysAgo: 90,
  },
  {
    key: 'benchseven',
    name: 'Bench Seven',
    description: 'Three notebooks and one bench.',
    category: 'growing',
    visibility: 'private',
    rules: [],
    members: ['hollis', 'wren', 'theo'],
    foundedDaysAgo: 40,
  },
]

type Said = { by: string; content: string; daysAgo: number }

type DemoCommunityPost = {
  community: string
  by: string
  type: CommunityPostType
  title: string
  content: string
  tags?: string[]
  daysAgo: number
  isPinned?: boolean
  likes?: string[]
  comments?: Said[]
  /** Index of the accepted answer in `comments`. */
  acceptedComment?: number
  poll?: { label: string; voters: string[] }[]
  linkedStrain?: string
  linkedBusiness?: string
}

export const demoCommunityPosts: DemoCommunityPost[] = [
  {
    community: 'frontrange',
    by: 'sunniva',
    type: 'discussion',
    title: 'Read this first: what we write down, and what we don’t',
    content:
      'Strain, medium, pot size, light hours, temperature and humidity, with the name of the meter. Not: where you live, what you’d sell, what it did for your back. Everything else is welcome.',
    tags: ['welcome', 'notes'],
    daysAgo: 79,
    isPinned: true,
    likes: ['wren', 'desmond', 'theo', 'hollis'],
  },
  {
    community: 'frontrange',
    by: 'wren',
    type: 'grow_update',
    title: 'Week five: the shrub wins',
    content:
      'Plant three is 74 cm and as wide as the tent. I stopped fighting it and gave it the middle. The two slow ones are greener than they were on Sunday, which I put down to water and not to talking.',
    tags: ['homegrow', 'week5'],
    daysAgo: 0.9,
    likes: ['sunniva', 'hollis', 'marisol'],
    comments: [
      { by: 'hollis', content: 'Put a stake on the left before it leans. Ask me how I know.', daysAgo: 0.7 },
      { by: 'sunniva', content: 'How warm is it up there at lights on?', daysAgo: 0.4 },
    ],
  },
  {
    community: 'frontrange',
    by: 'sunniva',
    type: 'question',
    title: 'Two hygrometers, nine points apart. Which one do I believe?',
    content: 'One came with the tent, one is from the kitchen. Same shelf, same hour: 48 and 57. Can I check that at home?',
    tags: ['humidity', 'measuring'],
    daysAgo: 3.2,
    likes: ['wren', 'desmond'],
    comments: [
      { by: 'desmond', content: 'The one you paid more for, I suppose.', daysAgo: 3 },
      {
        by: 'marisol',
        content:
          'A jar, a bottle cap of table salt with just enough water to dampen it, both meters inside, lid on, a day at room temperature. It should read 75 percent. Write the difference on the back of each.',
        daysAgo: 2.8,
      },
      { by: 'sunniva', content: 'Done: 66 and 74. The kitchen wins.', daysAgo: 1.5 },
    ],
    acceptedComment: 1,
  },
  {
    community: 'frontrange',
    by: 'theo',
    type: 'poll',
    title: 'How do you dry in thin air?',
    content: 'Our winters are at 20 percent. I’m collecting what people along the Front Range really do.',
    tags: ['drying', 'humidity'],
    daysAgo: 1.8,
    likes: ['wren', 'sunniva', 'lorne'],
    poll: [
      { label: 'Whole plant, closed closet', voters: ['wren', 'sunniva', 'hollis'] },
      { label: 'Branches, with a humidifier', voters: ['marisol', 'theo'] },
      { label: 'Paper bags', voters: ['desmond'] },
      { label: 'I buy mine dry', voters: ['lorne'] },
    ],
    comments: [{ by: 'marisol', content: 'Closet works when the closet is full. Half a closet is a hallway.', daysAgo: 1.2 }],
  },
  {
    community: 'crossnotes',
    by: 'odile',
    type: 'discussion',
    title: 'Why I keep the check clone on every bench',
    content:
      'The same cut in three pots: left, middle, right. If they differ as much as your candidates do, the bench decided, not the plant. It takes up three spots and has saved me from two wrong keepers.',
    tags: ['phenohunt', 'measuring'],
    daysAgo: 4.1,
    likes: ['theo', 'hollis', 'wren', 'marisol'],
    comments: [{ by: 'theo', content: 'Mine differed by a fifth in yield. The left side has the fan.', daysAgo: 3.6 }],
  },
  {
    community: 'crossnotes',
    by: 'hollis',
    type: 'question',
    title: 'Does anyone still have notes on an early Durban line?',
    content: 'Not looking for seeds. I’d like to know how tall and how early, from someone who wrote it down.',
    tags: ['lineage'],
    daysAgo: 2.2,
    linkedStrain: 'Durban Poison',
    likes: ['odile'],
    comments: [
      { by: 'odile', content: 'Three seasons: 140, 155 and 132 cm, cut on day 58 to 61. I’ll copy the page for you.', daysAgo: 1.9 },
    ],
  },
  {
    community: 'rampsandquiet',
    by: 'amadou',
    type: 'discussion',
    title: 'A quiet hour that really is quiet',
    content: 'Tuesday before eleven: lights down, no music, two chairs by the door. I stayed longer than I needed to.',
    tags: ['quiet', 'access'],
    linkedBusiness: 'lanternfold',
    daysAgo: 5.5,
    likes: ['priya', 'yuki', 'wren'],
  },
  {
    community: 'smallcounters',
    by: 'ines',
    type: 'question',
    title: 'How long do you keep empty batch binders?',
    content: 'The rule says one thing, the inspector another. What do you do, and where is it written?',
    tags: ['paperwork'],
    daysAgo: 6.4,
    likes: ['tobin', 'marlow'],
    comments: [{ by: 'marlow', content: 'Five years, in the dry part of the cellar, by harvest and not by delivery.', daysAgo: 6 }],
    acceptedComment: 0,
  },
  {
    community: 'sundaytable',
    by: 'lorne',
    type: 'discussion',
    title: 'First snow on the saddle',
    content: 'Who is still riding? I saw one set of tracks this morning and they were mine, going the other way.',
    tags: ['weather'],
    daysAgo: 0.6,
    likes: ['wren', 'desmond'],
    comments: [{ by: 'wren', content: 'Those weren’t yours. You have no left pedal.', daysAgo: 0.3 }],
  },
  {
    community: 'benchseven',
    by: 'hollis',
    type: 'grow_update',
    title: 'Number four isn’t dead',
    content: 'It sulked for nine days and has two new leaves. I owe Theo a coffee.',
    daysAgo: 1.1,
    likes: ['theo'],
  },
]

export async function addCommunities(loading: LoadContext): Promise<void> {
  const communities = new Map<string, string>()
  for (const community of demoCommunities) communities.set(community.key, await addCommunity(loading, community))
  for (const post of demoCommunityPosts) await addPost(loading, requireKey(communities, post.community), post)
}

async function addCommunity({ tx, now, people }: LoadContext, community: DemoCommunity): Promise<string> {
  const { key, name, description, category, visibility, rules, members, moderators = [], isVerified = false } = community
  const id = newId()
  const founded = daysBefore(now, community.foundedDaysAgo)
  await tx
    .insertInto('communities')
    .values({
      id,
      slug: slugBase(name, ''),
      name,
      description,
      category,
      visibility,
      rules,
      is_verified: isVerified,
      member_count: members.length,
      post_count: demoCommunityPosts.filter((post) => post.community === key).length,
      search_text: `${name} ${description}`.toLowerCase(),
      created_by: requireKey(people, members[0] ?? ''),
      is_demo: true,
      created_at: founded,
      updated_at: founded,
    })
    .execute()
  const roleOf = (person: string, place: number) => (place === 0 ? 'owner' : moderators.includes(person) ? 'moderator' : 'member')
  await tx
    .insertInto('community_members')
    .values(
      members.map((person, place) => ({
        community_id: id,
        user_id: requireKey(people, person),
        role: roleOf(person, place),
        // Members join one after another in the first half of the community's life.
        joined_at: daysBefore(now, community.foundedDaysAgo * (1 - place / (2 * members.length))),
      })),
    )
    .execute()
  return id
}

async function addPost({ tx, now, people, businesses }: LoadContext, communityId: string, post: DemoCommunityPost): Promise<void> {
  const { by, type, title, content, tags = [], likes = [], comments = [], daysAgo } = post
  const id = newId()
  const at = daysBefore(now, daysAgo)
  await tx
    .insertInto('posts')
    .values({
      id,
      author_id: requireKey(people, by),
      community_id: communityId,
      title,
      content,
      post_type: type,
      tags,
      likes_count: likes.length,
      comments_count: comments.length,
      pinned_at: post.isPinned ? at : null,
      linked_strain: post.linkedStrain ?? null,
      linked_business_id: post.linkedBusiness ? requireKey(businesses, post.linkedBusiness) : null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  if (likes.length > 0) {
    await tx
      .insertInto('post_likes')
      .values(
        likes.map((person, place) => ({ post_id: id, user_id: requireKey(people, person), created_at: after(now, daysAgo, place + 1) })),
      )
      .execute()
  }
  const said = comments.map((comment) => ({
    id: newId(),
    post_id: id,
    author_id: requireKey(people, comment.by),
    content: comment.content,
    created_at: daysBefore(now, comment.daysAgo),
  }))
  if (said.length > 0) await tx.insertInto('comments').values(said).execute()
  await rankPosts(tx, [id])
  const accepted = post.acceptedComment === undefined ? undefined : said[post.acceptedComment]
  if (accepted) await tx.updateTable('posts').set({ accepted_comment_id: accepted.id }).where('id', '=', id).execute()
  if (post.poll) await addPoll({ tx, now, people }, id, daysAgo, post.poll)
  // A use of a tag has a weight of 1 when the post is written, and that weight halves every week.
  for (const tag of tags) {
    await tx
      .insertInto('community_tags')
      .values({ community_id: communityId, tag, score: 2 ** (-daysAgo / 7), scored_at: now })
      .onConflict((conflict) =>
        conflict.columns(['community_id', 'tag']).doUpdateSet({ score: sql`community_tags.score + excluded.score` }),
      )
      .execute()
  }
}

const after = (now: Date, daysAgo: number, hours: number): Date => daysBefore(now, Math.max(daysAgo - hours / 24, 0))

async function addPoll(
  { tx, now, people }: Pick<LoadContext, 'tx' | 'now' | 'people'>,
  postId: string,
  daysAgo: number,
  options: NonNullable<DemoCommunityPost['poll']>,
): Promise<void> {
  const votes = options.flatMap(({ voters }, position) => voters.map((person) => ({ position, person })))
  await tx.insertInto('polls').values({ post_id: postId, votes_count: votes.length }).execute()
  await tx
    .insertInto('poll_options')
    .values(options.map(({ label, voters }, position) => ({ post_id: postId, position, label, votes_count: voters.length })))
    .execute()
  await tx
    .insertInto('poll_votes')
    .values(
      votes.map(({ position, person }, place) => ({
        post_id: postId,
        user_id: requireKey(people, person),
        position,
        created_at: after(now, daysAgo, place + 1),
      })),
    )
    .execute()
}
