declare module '#server/kernel/events.ts' {
  interface EventData {
    'review.written': { reviewId: string }
    'review.replied': { reviewId: string }
    'review.helped': { reviewId: string; userId: string }
  }
}

export {}
