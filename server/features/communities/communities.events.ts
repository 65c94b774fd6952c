declare module '#server/kernel/events.ts' {
  interface EventData {
    'community.requested': { communityId: string; userId: string }
    'community.joined': { communityId: string; userId: string }
    'community.invited': { invitationId: string }
  }
}

export {}
