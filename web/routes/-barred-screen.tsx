import LeavingScreen from '../features/own-data/leaving-screen.tsx'
import SecondFactorScreen from '../features/security/second-factor-screen.tsx'
import StandingScreen from '../features/standing/standing-screen.tsx'
import { useCurrentUser } from '../lib/current-user.ts'

/**
 * What is met in place of every page by an account that owes its second factor, is to be deleted, or is suspended. Few are: one lazy part for
 * all of them.
 */
export default function BarredScreen({ screen }: { screen: 'standing' | 'second-factor' }) {
  const user = useCurrentUser()
  if (screen === 'second-factor') return <SecondFactorScreen />
  return user?.leavesAt ? <LeavingScreen dueAt={user.leavesAt} /> : <StandingScreen />
}
