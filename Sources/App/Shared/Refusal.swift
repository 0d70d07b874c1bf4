import Templating

/// The reasons why a request is refused, with a message for each. Any other error is an internal failure.
enum Refusal: Error, Equatable {
    /// The page or row doesn't exist, or is somebody else's and private.
    case notFound
    /// No certificate has this code: it may be mistyped.
    case noCertificate
    /// It belongs to a part of the site that an admin switched off.
    case switchedOff
    /// An account is required.
    case signInFirst
    /// An account is required, and the form is too large to be kept until after the log-in.
    case signedOut
    /// The account has no right to do this.
    case notAllowed
    /// A staff member without two-step log-in after the grace period.
    case twoStepFirst
    /// Staff suspended the account; only shown after the right password.
    case suspended(ID<Account>)
    /// The account can only read until then.
    case limited(until: Instant)
    /// The member signed up and isn't let in yet.
    case waiting
    /// A newcomer has reached their limit for addressing strangers.
    case newHere(retryAfter: Duration)
    /// The event has begun or was canceled.
    case tooLate
    /// Somebody asked, but the thing has begun or the time is over.
    case tooLateToAnswer
    /// Somebody else, or the same person in another tab, changed it first; the linked page shows the current state.
    case overtaken(Link)
    /// The account has this hat but wears the other one.
    case wrongHat(Hat)
    /// The account has no profile for this hat yet.
    case noProfile(Hat)
    /// The request didn't come from a page of this site, or the page is too old.
    case forged
    /// The request cannot be understood.
    case malformed
    case tooMany(retryAfter: Duration)
    case tooLarge
    case unsupportedType
}
