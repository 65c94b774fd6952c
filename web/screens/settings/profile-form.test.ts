import { expect, test } from 'vitest'
import { editsOf, type ProfileValues, unknownPlace } from './profile-form.tsx'

const saved: ProfileValues = {
  displayName: '',
  firstName: 'Ann',
  lastName: 'Gardener',
  location: 'Denver, CO',
  bio: 'Words',
  interests: ['Flower'],
  pictureUrl: '/media/old/small.webp',
  pictureId: '',
}

test('sends only changed fields', () => {
  expect(editsOf(saved, saved)).toEqual({})
  expect(editsOf({ ...saved, bio: '', interests: ['Flower', 'Edibles'] }, saved)).toEqual({ bio: '', interests: ['Flower', 'Edibles'] })
  expect(editsOf({ ...saved, interests: [] }, saved)).toEqual({ interests: [] })
})

test('keeps, replaces, or removes a picture', () => {
  expect(editsOf({ ...saved, pictureUrl: '/media/new/small.webp', pictureId: 'new' }, saved)).toEqual({ imageId: 'new' })
  expect(editsOf({ ...saved, pictureUrl: '' }, saved)).toEqual({ imageId: null })
  expect(editsOf({ ...saved, pictureUrl: '' }, { ...saved, pictureUrl: '' })).toEqual({})
})

test('says that nearby results need a known place', () => {
  expect(unknownPlace({ location: 'Toronto, ON', isLocationKnown: false })).toMatch(/^We don’t know “Toronto, ON”/)
  expect(unknownPlace({ location: 'Denver, CO', isLocationKnown: true })).toBeUndefined()
  expect(unknownPlace({ location: null, isLocationKnown: false })).toBeUndefined()
})
