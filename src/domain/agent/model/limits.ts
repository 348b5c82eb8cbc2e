/** What one answer of a model may use. */
export const LIMITS = {
  /** For everything; the claim of a turn lasts longer. */
  totalMs: 20_000,
  /** Requests to the endpoint. */
  rounds: 8,
  callsInOneRound: 8,
  tokensOfAnswer: 2000,
  bytesOfAnswer: 512 * 1024,
  /** Of one result that the model gets, and of all of them. */
  charactersOfResult: 16_000,
  charactersOfResults: 80_000,
  /** Operations that one message can ask for. */
  declaredOperations: 5,
} as const
