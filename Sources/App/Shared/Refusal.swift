import Templating

/// Why a request is not carried out, in words of the site. Anything else thrown is a failure of ours.
enum Refusal: Error, Equatable {
    /// There is no such page or row, or it is somebody else's private thing.
    case notFound
    /// It is part of what an admin switched off.
    case switchedOff
    /// A one-time link that was good once.
    case linkEnded(LinkEnd)
    /// Only for people with an account.
    case signInFirst
    /// The same, where what was sent is too much to be kept for after the log-in.
    case signedOut
    /// The account may not do this at all.
    case notAllowed
    /// Staff without a second step to log in, after the days they had to set it up.
    case twoStepFirst
    /// Staff suspended the account; said only to somebody who knows its password.
    case suspended(ID<Account>)
    /// The account may read, and not write before then.
    case limited(until: Instant)
    /// Somebody signed up, and isn't let in yet.
    case waiting
    /// Somebody who is new here said as much to people they don't know as they may for now.
    case newHere(retryAfter: Duration)
    /// The event has begun or was canceled.
    case tooLate
    /// Somebody asked, and what they asked for has begun or ran out.
    case tooLateToAnswer
    /// Somebody else did something else about it meanwhile, or the same person in another tab: the page there shows how
    /// it is now.
    case overtaken(Link)
    /// The account has this hat and wears the other one.
    case wrongHat(Hat)
    /// The account has no profile for this hat yet.
    case noProfile(Hat)
    /// The request did not come from a page of this site, or the page is too old.
    case forged
    /// The request cannot be understood.
    case malformed
    case tooMany(retryAfter: Duration)
    case tooLarge
    case unsupportedType
}
