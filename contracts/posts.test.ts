import { expect, test } from 'vitest'
import { NewPost, PostType } from './posts.ts'

const minimal = { title: 'First frost', content: 'At four.' }
const problems = (input: object) => NewPost.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('requires a title and content', () => {
  expect(problems({ title: ' ', content: '' })).toEqual([
    ['title', 'Title is required'],
    ['content', 'Content is required'],
  ])
})

test('defaults to a public update', () => {
  expect(NewPost.parse(minimal)).toMatchObject({ postType: 'update', isExclusive: false, imageUrl: '' })
  expect(PostType.options).toEqual(['update', 'promotion', 'educational', 'product'])
  expect(problems({ ...minimal, postType: 'rumor' }).map(([path]) => path)).toEqual(['postType'])
})

test('accepts only a full URL or an empty string as the image', () => {
  expect(problems({ ...minimal, imageUrl: 'https://pictures.example/frost.jpg' })).toEqual([])
  expect(problems({ ...minimal, imageUrl: 'frost.jpg' }).map(([path]) => path)).toEqual(['imageUrl'])
})
