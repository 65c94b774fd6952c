import { expect, test } from 'vitest'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { editsOf, type ProfileValues, profileFields, unknownPlace } from './profile-form.tsx'

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

test('states that nearby results need a known place', () => {
  expect(unknownPlace({ location: 'Toronto, ON', isLocationKnown: false })).toMatch(/^We don’t know “Toronto, ON”/)
  expect(unknownPlace({ location: 'Denver, CO', isLocationKnown: true })).toBeUndefined()
  expect(unknownPlace({ location: null, isLocationKnown: false })).toBeUndefined()
})

test('focuses the first refused field on the page', () => {
  const fields = { displayName: 'Not allowed', lastName: 'At most 80 characters' }
  const body = JSON.stringify({ code: 'invalid_input', message: 'Check the fields', fields })
  const error = new ApiError({ status: 400, statusText: 'Bad Request', retryAfter: null }, body)
  const focused: string[] = []
  showServerErrors<ProfileValues>({ setError: () => {}, setFocus: (field) => focused.push(field) }, error, profileFields)
  expect(focused).toEqual(['lastName'])
})
