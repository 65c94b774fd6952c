import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type DashboardTab, dashboardTabs } from './dashboard-search.ts'

export type DashboardPage = 'menu' | 'events' | 'profile' | 'team' | 'license'
export type DashboardSection = DashboardTab | DashboardPage

export const sectionNames: Record<DashboardSection, string> = {
  overview: 'Overview',
  subscriptions: 'Subscriptions',
  locations: 'Locations',
  social: 'Social',
  menu: 'Menu',
  events: 'Events',
  profile: 'Page',
  team: 'Team',
  license: 'License',
}

/** Staff keep the menu, write posts, publish events, and see who works there; what the business earns and says of itself is not theirs. */
const ofStaff: readonly DashboardSection[] = ['social', 'menu', 'events', 'team']

/** What is worth showing to somebody of this role. The server decides each call for itself. */
export const isOpenTo = (role: MyBusiness['role'], section: DashboardSection): boolean => role !== 'staff' || ofStaff.includes(section)

export const isTab = (section: DashboardSection): section is DashboardTab => dashboardTabs.some((tab) => tab === section)
