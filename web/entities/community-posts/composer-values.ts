import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { type NewCommunityPost, NewCommunityPost as Schema } from '#contracts/community-posts.ts'
import { CommunityPostType, type NewMention, type Post, type PostLink } from '#contracts/posts.ts'
import { mentionsWithoutSpaces, newMentions } from '#web/entities/posts/mentions.ts'

export type ChosenLink = Pick<PostLink, 'kind' | 'id' | 'name' | 'detail'> & {
  /** Only people who can see a private hunt see the link to it. */
  isPrivate?: boolean
}

export type PostValues = {
  postType: CommunityPostType
  title: string
  content: string
  mentions: NewMention[]
  options: string[]
  closesInDays: number
  tags: string[]
  link: ChosenLink | null
}

export const emptyPost: PostValues = {
  postType: 'discussion',
  title: '',
  content: '',
  mentions: [],
  options: ['', ''],
  closesInDays: 7,
  tags: [],
  link: null,
}

export const valuesOf = (post: Post): PostValues => ({
  ...emptyPost,
  postType: CommunityPostType.options.find((type) => type === post.postType) ?? 'discussion',
  title: post.title,
  content: post.content,
  mentions: newMentions(post.mentions),
  tags: post.tags,
  // Polls can't be edited, but the schema requires their options.
  options: post.community?.poll?.options.map(({ label }) => label) ?? [],
})

export function bodyOf(communityId: string, values: PostValues): NewCommunityPost {
  const { postType, title, content, mentions, tags, options, closesInDays, link } = values
  return {
    communityId,
    postType,
    title,
    content,
    mediaIds: [],
    tags,
    mentions: mentionsWithoutSpaces(content, mentions),
    poll: postType === 'poll' ? { options: givenOptions(options), closesInDays } : null,
    link: newLink(link),
  }
}

export const givenOptions = (options: readonly string[]): string[] => options.map((option) => option.trim()).filter(Boolean)

function newLink(link: ChosenLink | null): NewCommunityPost['link'] {
  if (link === null) return null
  if (link.kind === 'strain') return { kind: 'strain', name: link.name }
  return link.id === null ? null : { kind: link.kind, id: link.id }
}

const check = standardSchemaResolver(Schema) as Resolver<object, unknown, NewCommunityPost>

export const resolverFor =
  (communityId: string): Resolver<PostValues, unknown, NewCommunityPost> =>
  async (values, context, options) => {
    const result = await check(bodyOf(communityId, values), context, options as never)
    const { poll, ...errors } = result.errors as FieldErrors<NewCommunityPost>
    const wrong = poll && messageIn(poll)
    return { ...result, errors: { ...errors, ...(wrong ? { options: { type: 'poll', message: wrong } } : {}) } } as never
  }

export function messageIn(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined
  if ('message' in errors && typeof errors.message === 'string') return errors.message
  for (const part of Object.values(errors)) {
    const message = messageIn(part)
    if (message) return message
  }
  return undefined
}
