import { expect, it } from 'vitest'
import { closureSentence } from './business-notices.tsx'

const closure = { kind: 'permanent', since: '2026-11-25T01:00:00.000Z', by: 'members', reopensOn: null } as const

it('states who reported a closure, and when, in the business’s time zone', () => {
  expect(closureSentence(closure, 'America/Denver')).toBe('Reported closed by two members on November 24, 2026.')
  expect(closureSentence({ ...closure, by: 'moderators' }, null)).toContain('November 25, 2026')
})

it('states when a closed business plans to reopen', () => {
  expect(closureSentence({ ...closure, kind: 'temporary', by: 'owner', reopensOn: '2026-12-01' }, 'America/Denver')).toBe(
    'The owner closed it on November 24, 2026. It plans to reopen on December 1, 2026.',
  )
})
