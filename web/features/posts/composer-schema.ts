import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { NewPost, type Post, type PostType } from '../../../contracts/posts.ts'

export type PostValues = {
  /** Empty: the own name. */
  businessId: string
  title: string
  content: string
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
  postType: post.postType,
  isExclusive: post.isExclusive,
  imageUrl: '',
  place: post.place ?? '',
  tags: post.tags,
})

/** In the order of the page. */
export const postFields = ['businessId', 'postType', 'title', 'content', 'place', 'tags', 'imageUrl', 'isExclusive'] as const

const check = standardSchemaResolver(NewPost) as Resolver<object, unknown, NewPost>

/** The contract's own check; what only a business can do is left out of a post under the own name. */
export const postResolver: Resolver<PostValues, unknown, NewPost> = async (values, context, options) =>
  (await check(
    { ...values, businessId: values.businessId || null, isExclusive: values.businessId !== '' && values.isExclusive },
    context,
    options as never,
  )) as never
