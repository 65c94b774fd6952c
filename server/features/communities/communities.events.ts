declare module '../../kernel/events.ts' {
  interface EventData {
    /** Somebody asks to be let in. */
    'community.requested': { communityId: string; userId: string }
    /** A request was accepted. */
    'community.joined': { communityId: string; userId: string }
    /** A member of the site is invited by name. */
    'community.invited': { invitationId: string }
  }
}

export {}
