/**
 * The owner has a business, a community, a private hunt, posts and so on; the manager and the staff work for
 * that business. The roles in `ownerRoles` make calls about their own world, so they can be refused only because of their account.
 */
export const roles = [
  'visitor',
  'ageless', // signed up with OpenID and never gave a birthday
  'member',
  'blocked', // by the owner and by the business
  'muted',
  'suspended',
  'demo',
  'owner',
  'manager',
  'staff',
  'communityModerator',
  'grower', // has write access to the private hunt
  'moderator',
  'admin',
] as const
export type Role = (typeof roles)[number]

export const ownerRoles = ['ageless', 'muted', 'suspended', 'demo'] as const

/** Error codes, except `demo`, which is the refusal of demo accounts. */
export const refusals = [
  'signed_out',
  'birthday_required',
  'suspended',
  'muted',
  'demo',
  'forbidden',
  'not_found',
  'age_restricted',
] as const
/** The response that a role gets. `ok`: authorized, even if the call fails for another reason, such as a wrong password or a conflict. */
export type Outcome = 'ok' | (typeof refusals)[number]

/** Roles that are refused even though the rule allows an owner. */
export type Except = '' | 'muted' | 'demo' | 'muted, demo'

type Rule = Readonly<Record<Role, Outcome>>

const everyone = Object.fromEntries(roles.map((role) => [role, 'ok'])) as Rule
const accounts: Rule = { ...everyone, visitor: 'signed_out' }
const members: Rule = { ...accounts, ageless: 'birthday_required', suspended: 'suspended' }

const isOwner = (role: Role) => role === 'owner' || role === 'muted' || role === 'demo'

/** Allows only the members with these roles. Others get `forbidden` if they can see the content, and `not_found` if they can't. */
function only(refusal: 'forbidden' | 'not_found', allowed: readonly Role[], overrides: Partial<Rule> = {}): Rule {
  const rest = roles.filter((role) => members[role] === 'ok' && !allowed.includes(isOwner(role) ? 'owner' : role))
  return { ...members, ...Object.fromEntries(rest.map((role) => [role, refusal])), ...overrides }
}
const exceptOwner = (overrides: Partial<Rule> = {}): Rule => ({
  ...members,
  ...{ owner: 'forbidden', muted: 'forbidden', demo: 'forbidden' },
  ...overrides,
})

const team: Role[] = ['owner', 'manager', 'staff']
const unseen = { blocked: 'not_found' } as const

/** Each name states who is allowed. `…Hidden`: other members get `not_found`. `…Unblocked`: only blocked people get `not_found`. */
export const rules = {
  everyone,
  /** Only API keys, no people. */
  keys: Object.fromEntries(roles.map((role) => [role, 'signed_out'])) as Rule,
  adults: { ...everyone, visitor: 'age_restricted', ageless: 'age_restricted' },
  accounts,
  members,
  membersWhileSuspended: { ...members, suspended: 'ok' },
  membersWithoutOffice: { ...members, moderator: 'forbidden', admin: 'forbidden' },
  membersUnblocked: { ...members, ...unseen },
  membersNotBlockedByBusiness: { ...members, blocked: 'forbidden' },
  othersThanOwner: exceptOwner(),
  othersThanOwnerUnblocked: exceptOwner(unseen),
  othersThanTeam: exceptOwner({ manager: 'forbidden', staff: 'forbidden' }),
  othersThanTeamNotBlockedByBusiness: exceptOwner({ manager: 'forbidden', staff: 'forbidden', blocked: 'forbidden' }),
  owner: only('forbidden', ['owner']),
  ownerUnblocked: only('forbidden', ['owner'], unseen),
  ownerHidden: only('not_found', ['owner']),
  ownerHiddenWhileSuspended: { ...only('not_found', ['owner']), ageless: 'ok', suspended: 'ok' },
  memberOwnerHiddenWhileSuspended: only('not_found', ['owner'], { suspended: 'ok' }),
  groupOwnerHidden: only('not_found', ['owner'], { manager: 'forbidden', staff: 'forbidden' }),
  team: only('forbidden', team),
  teamUnblocked: only('forbidden', team, unseen),
  teamHidden: only('not_found', team),
  managers: only('forbidden', ['owner', 'manager']),
  managersHidden: only('not_found', ['owner', 'manager']),
  communityModerators: only('forbidden', ['owner', 'communityModerator']),
  communityModeratorsUnblocked: only('forbidden', ['owner', 'communityModerator'], unseen),
  communityModeratorsHidden: only('not_found', ['owner', 'communityModerator']),
  growersHidden: only('not_found', ['owner', 'grower']),
  huntOwnerHidden: only('not_found', ['owner'], { grower: 'forbidden' }),
  invitedToTeam: only('forbidden', ['member']),
  invitedToCommunityHidden: only('not_found', ['member']),
  moderators: only('forbidden', ['moderator', 'admin']),
  caseModeratorsHidden: only('not_found', ['owner', 'communityModerator', 'moderator', 'admin']),
  admins: only('forbidden', ['admin']),
} satisfies Record<string, Rule>
export type RuleName = keyof typeof rules
