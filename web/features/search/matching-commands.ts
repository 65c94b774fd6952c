import type { Command } from './commands.ts'
import { wordMatches } from './marked-pieces.ts'

/** Other words for the pages, by their names. */
const otherWords: Record<string, string> = {
  Home: 'feed start',
  Discover: 'directory map businesses near me',
  Favorites: 'saved hearts',
  'Create Post': 'write new publish',
  Profile: 'me account',
  Notifications: 'bell alerts',
  Messages: 'inbox chat conversations',
  Communities: 'groups forum',
  'Pheno Hunter Pro': 'grow plants hunts keepers',
  Dashboard: 'business menu analytics insights',
  Billing: 'payments subscriptions invoices plan',
  'Register Business': 'add claim company shop',
  'Subscription Plans': 'pricing upgrade premium',
  'Help Center': 'support questions',
  Settings: 'preferences privacy password account theme units',
  Moderation: 'admin queue cases reports',
}

/** Those whose name or other words begin with each of the typed words; `isNamed`: the name itself begins with what was typed. */
export function matchingCommands(commands: readonly Command[], typed: string) {
  const text = typed.trim().toLowerCase()
  return commands
    .map((command) => ({
      command,
      ranges: wordMatches(command.label, text),
      isNamed: text.length > 1 && command.label.toLowerCase().startsWith(text),
    }))
    .filter(({ command, ranges }) => ranges.length > 0 || wordMatches(otherWords[command.label] ?? '', text).length > 0)
}
