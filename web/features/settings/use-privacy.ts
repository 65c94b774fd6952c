import type { CurrentUser } from '../../../contracts/accounts.ts'
import { savePrivacy } from '../../../contracts/settings.ts'
import { call } from '../../lib/call.ts'
import { currentUserOptions, useCurrentUser } from '../../lib/current-user.ts'
import { queryClient } from '../../lib/query-client.ts'
import { fieldsBack, savedAtOnce } from '../../lib/saved-at-once.ts'
import { tellNotSaved } from '../../ui/tell-not-saved.ts'

type Choice = Partial<Pick<CurrentUser, 'isProfilePublic' | 'allowLocationSharing'>>

const privacy = savedAtOnce<CurrentUser, Choice>({
  queryKey: currentUserOptions.queryKey,
  withChoice: (user, choice) => ({ ...user, ...choice }),
  turnedBack: fieldsBack,
  save: (body) => call(savePrivacy, { body }),
  onSaved: () => {
    // The own profile as others see it is another one now.
    const [own] = currentUserOptions.queryKey
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own, refetchType: 'none' })
  },
  onFailed: tellNotSaved,
})

/** The signed-in person with what was just chosen, and the choice. */
export const usePrivacy = () => ({ user: privacy.useShown(useCurrentUser()), choose: privacy.choose })
