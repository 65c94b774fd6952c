import SecondFactorScreen from '../features/security/second-factor-screen.tsx'
import StandingScreen from '../features/standing/standing-screen.tsx'

/** What is met in place of every page by an account that owes its second factor, or is suspended. Few are: one lazy part for both. */
export default function BarredScreen({ screen }: { screen: 'standing' | 'second-factor' }) {
  return screen === 'standing' ? <StandingScreen /> : <SecondFactorScreen />
}
