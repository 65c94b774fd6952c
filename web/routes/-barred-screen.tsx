import { useCurrentUser } from '#web/lib/current-user.ts'
import AccountStatusScreen from '#web/screens/account-status/account-status-screen.tsx'
import { OwnPurchases } from '#web/screens/billing/billing-screen.tsx'
import { SecondFactorScreen } from '#web/screens/security/security-screen.tsx'
import LeavingScreen from '#web/screens/settings/leaving-screen.tsx'
import OwnDataPart from '#web/screens/settings/own-data-part.tsx'

/**
 * Replaces all but public pages for accounts that lack their second factor, are pending deletion, or are suspended. Such accounts are rare,
 * so the screens share a lazy chunk.
 */
export default function BarredScreen({ screen }: { screen: 'standing' | 'second-factor' }) {
  const user = useCurrentUser()
  if (screen === 'second-factor') return <SecondFactorScreen />
  if (user?.leavesAt) return <LeavingScreen dueAt={user.leavesAt} />
  // Accounts without a birthday can neither buy nor list purchases.
  return <AccountStatusScreen purchases={user?.birthday && <OwnPurchases />} ownData={<OwnDataPart />} />
}
