import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { NewDraft } from '#contracts/drafts.ts'
import { type NewMention, NewPost, type Post, PostType } from '#contracts/posts.ts'
import * as z from '#contracts/zod.ts'
import { mentionsWithoutSpaces, newMentions } from '#web/entities/posts/mentions.ts'

export type PostValues = {
  /** Empty for a personal post. */
  businessId: string
  title: string
  content: string
  mentions: NewMention[]
  postType: PostType
  isExclusive: boolean
  imageUrl: string
  place: string
  tags: string[]
}

export const emptyPost: PostValues = {
  businessId: '',
  title: '',
  content: '',
  mentions: [],
  postType: 'update',
  isExclusive: false,
  imageUrl: '',
  place: '',
  tags: [],
}

export const valuesOf = (post: Post): PostValues => ({
  businessId: post.businessId ?? '',
  title: post.title,
  content: post.content,
  mentions: newMentions(post.mentions),
  // Community posts have their own form.
  postType: PostType.options.find((type) => type === post.postType) ?? 'update',
  isExclusive: post.isExclusive,
  imageUrl: '',
  place: post.place ?? '',
  tags: post.tags,
})

/** Mentions refer to the trimmed content. */
const given = ({ businessId, content, mentions, ...values }: PostValues) => ({
  ...values,
  content,
  mentions: mentionsWithoutSpaces(content, mentions),
  businessId: businessId || null,
})

/** Skips validation, for unfinished drafts. */
export const unchecked = (values: PostValues): NewPost => ({
  ...given(values),
  isExclusive: values.businessId !== '' && values.isExclusive,
  mediaIds: [],
})

const checkDraft = standardSchemaResolver(z.extend(NewPost, { title: NewDraft.shape.title, content: NewDraft.shape.content })) as Resolver<
  object,
  unknown,
  NewPost
>

/** In page order. */
export const postFields = ['businessId', 'postType', 'title', 'content', 'place', 'tags', 'imageUrl', 'isExclusive'] as const

const check = standardSchemaResolver(NewPost) as Resolver<object, unknown, NewPost>

export const draftResolver: Resolver<PostValues, unknown, NewPost> = async (values, context, options) =>
  (await checkDraft(given(values), context, options as never)) as never

/** Validates against the contract; drops business-only fields from personal posts. */
export const postResolver: Resolver<PostValues, unknown, NewPost> = async (values, context, options) =>
  (await check({ ...given(values), isExclusive: values.businessId !== '' && values.isExclusive }, context, options as never)) as never
