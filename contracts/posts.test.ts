import { expect, test } from 'vitest'
import { NewPost, PostType } from './posts.ts'

const least = { title: 'First frost', content: 'At four.' }
const problems = (input: object) => NewPost.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('a post needs a title and content', () => {
  expect(problems({ title: ' ', content: '' })).toEqual([
    ['title', 'Title is required'],
    ['content', 'Content is required'],
  ])
})

test('it is an update for everybody unless it says otherwise', () => {
  expect(NewPost.parse(least)).toMatchObject({ postType: 'update', isExclusive: false, imageUrl: '' })
  expect(PostType.options).toEqual(['update', 'promotion', 'educational', 'product'])
  expect(problems({ ...least, postType: 'rumor' }).map(([path]) => path)).toEqual(['postType'])
})

test('its picture is a full address or empty', () => {
  expect(problems({ ...least, imageUrl: 'https://pictures.example/frost.jpg' })).toEqual([])
  expect(problems({ ...least, imageUrl: 'frost.jpg' }).map(([path]) => path)).toEqual(['imageUrl'])
})
