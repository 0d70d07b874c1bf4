import Forms
import Testing

@Suite struct SubmissionTests {
    @Test func `an empty form shows nothing, has no problems and no value`() {
        let submission = Submission<FairForm>()
        #expect(submission.problems.isEmpty)
        #expect(submission.value == nil)
        #expect(!submission.isValid)
        #expect(submission.inputs.allSatisfy { $0.all.isEmpty && $0.problem == nil })
        #expect(submission.step == nil)
    }

    @Test func `a filled form shows its values, passwords aside`() {
        var form = FairForm()
        form.title = "Kite day"
        form.password = "correct horse battery"
        form.spots = 1_200
        form.children = [3, 5]
        form.covidSafe = true
        form.state = "NY"
        let submission = Submission(filled: form)
        #expect(submission[\.title].typed == "Kite day")
        #expect(submission[\.password].typed == "")
        #expect(submission[\.spots].typed == "1200")
        #expect(submission[\.children].all == ["3", "5"])
        #expect(submission[\.covidSafe].isChecked)
        #expect(!submission[\.adult].isChecked)
        #expect(submission[\.state].choices.map(\.isChosen) == [false, true])
        #expect(submission[\.ageFrom].typed == "")
        #expect(submission.value == nil)
    }

    @Test func `what was printed is read again as the same`() throws {
        let first = try #require(
            FairForm.sent(["description": "a\n\nb", "age_from": "3", "tables": "4", "deposit": "1.05"]).value)
        let query = (Submission(filled: first).hidden + [("password", "correct horse battery")])
            .map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        let second = try #require(FairForm.sent(query: query).value)
        #expect(String(describing: second) == String(describing: first))
    }

    @Test func `an input says all a template needs`() {
        let title = Submission<FairForm>()[\.title]
        #expect(title.name == "title" && title.id == "title")
        #expect(title.label == "Event title")
        #expect(title.isRequired)
        #expect(title.minLength == 3 && title.maxLength == 20)
        #expect(title.width == .wide)
        #expect(title.describedBy == "title-hint")
        #expect(FairForm.sent(["title": ""])[\.title].describedBy == "title-hint title-problem")
        #expect(FairForm.sent(["spots": ""])[\.spots].describedBy == "spots-problem")
        #expect(FairForm.sent()[\.spots].describedBy == nil)

        let empty = Submission<FairForm>()
        #expect(empty[\.description].minLength == nil && empty[\.description].maxLength == 200)
        #expect(!empty[\.description].isRequired && !empty[\.note].isRequired)
        #expect(empty[\.email].autocomplete == "email" && empty[\.email].maxLength == 254)
        #expect(empty[\.password].autocomplete == "new-password")
        #expect(empty[\.spots].min == 1 && empty[\.spots].max == 10_000)
        #expect(empty[\.spots].inputmode == "numeric" && empty[\.spots].control.type == "text")
        #expect(empty[\.deposit].inputmode == "decimal" && empty[\.deposit].suggestions == ["1.00", "2.00"])
        #expect(empty[\.ageFrom].width == .narrow)
        #expect(empty[\.audience].control == .radios && empty[\.audience].control.type == "radio")
        #expect(empty[\.adult].isRequired && !empty[\.covidSafe].isRequired)
        #expect(empty[\.children].isRequired)
        #expect(empty.input(named: "picture").accept == "image/*")
    }

    @Test func `the first choice has the field's id, where a problem's link leads`() {
        #expect(Submission<FairForm>()[\.audience].choices.map(\.id) == ["audience", "audience-2"])
    }

    @Test func `hidden fields are not among the inputs but carried`() {
        let submission = FairForm.sent(["poster": "7"])
        #expect(!submission.inputs.contains { $0.name == "poster" })
        #expect(submission.inputs.map(\.name).first == "title")
        #expect(submission.carried.map(\.name) == ["once", "poster"])
    }

    @Test func `the form under a preview has everything typed but secrets and the machine's own`() throws {
        let once = Submission<FairForm>().once
        let submission = FairForm.sent([
            "once": once, "csrf": "token", "step": "preview", "description": "a\nb", "extra": "x", "spots": "1,000",
        ])
        #expect(
            submission.hidden.map { "\($0.name)=\($0.value)" } == [
                "once=\(once)", "title=Kite day", "description=a\nb", "email=ben@Library.Example.ORG", "spots=1,000",
                "audience=kids", "adult=1", "child=3", "price=2.50",
            ])
        let query = submission.hidden.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        let again = FairForm.sent(query: query + "&step=publish&password=correct+horse+battery")
        #expect(again.isValid)
        #expect(again.once == once)
        #expect(again.step == .publish)
    }

    @Test func `the step is one of three`() {
        #expect(FairForm.sent(["step": "edit"]).step == .edit)
        #expect(FairForm.sent(["step": "preview"]).step == .preview)
        #expect(FairForm.sent(["step": "delete"]).step == nil)
        #expect(FairForm.sent(query: "step=edit&step=publish").step == nil)
        #expect(FairForm.sent().step == nil)
    }

    @Test func `a digest is of what somebody answered, seen or not, and not of what the page keeps`() {
        let fields = ["title": "Kite day", "poster": "7"]
        let form = FairForm.sent(fields)
        #expect(form.digest() == FairForm.sent(fields).digest())
        #expect(form.digest() != FairForm.sent(["title": "Kite day", "poster": "8"]).digest())
        #expect(form.digest() != form.digest(beside: [("alt-7", "A kite")]))
        #expect(form.digest() == FairForm.sent(fields.merging(["rows": "2"]) { $1 }).digest())
    }

    @Test func `once is random, safe in a URL, and stays`() {
        let fresh = (0..<100).map { _ in Submission<FairForm>().once }
        #expect(Set(fresh).count == 100)
        let safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(fresh.allSatisfy { $0.count == 22 && $0.allSatisfy(safe.contains) })
        #expect(FairForm.sent(["once": fresh[0]]).once == fresh[0])
        #expect(Submission(filled: FairForm(), once: fresh[0]).once == fresh[0])
    }

    @Test(arguments: ["short", String(repeating: "a", count: 23), "aaaaaaaaaaaaaaaaaaaaa\"", "aaaaaaaaaaaaaaaaaaaaaé"])
    func `a once that isn't ours is replaced`(once: String) {
        #expect(FairForm.sent(["once": once]).once != once)
        #expect(FairForm.sent(["once": once]).once.count == 22)
    }

    @Test func `a field's problem found later stands in its place`() {
        var submission = FairForm.sent(["title": "", "price": "x"])
        submission.reject(\.email, "Log in: this address has an account.")
        submission.reject("The event is full.")
        submission.reject(named: "picture", "Choose a picture under 10 MB.")
        #expect(submission.problems.map(\.name) == [nil, "title", "email", "picture", "price"])
        #expect(submission[\.email].problem == "Log in: this address has an account.")
        #expect(submission.value == nil)
    }

    @Test func `the first problem of a field stays`() {
        var submission = FairForm.sent(["spots": "ten"])
        let first = submission.problem(\.spots)
        #expect(!submission.accepts(\.spots) && submission.accepts(\.title))
        submission.reject(\.spots, "Choose fewer spots.")
        #expect(submission.problem(\.spots) == first)
        #expect(submission.problems.count == 1)
    }

    @Test func `a rejected form has no value`() {
        var submission = FairForm.sent()
        #expect(submission.value != nil)
        submission.reject("The event is full.")
        #expect(submission.value == nil)
    }

    @Test func `answers offered to this visitor are drawn, any other is refused`() {
        let own = [Choice(3, Words(verbatim: "Mo")), Choice(5, Words(verbatim: "Lu"), isDisabled: true)]
        var fine = FairForm.sent(query: "child=3")
        fine.offer(\.children, own)
        #expect(fine.accepts(\.children))
        #expect(fine[\.children].choices.map(\.isChosen) == [true, false])
        #expect(fine[\.children].choices.map(\.id) == ["child", "child-2"])
        for other in ["4", "5", "3&child=4"] {
            var refused = FairForm.sent(query: "child=\(other)")
            #expect(refused.accepts(\.children))
            refused.offer(\.children, own)
            #expect(!refused.accepts(\.children))
        }
        var fresh = Submission<FairForm>()
        fresh.offer(\.children, own)
        #expect(fresh.problems.isEmpty)
    }

    @Test func `a fresh form can begin with a value`() {
        var submission = Submission<FairForm>()
        submission.fill(\.state, "CA")
        submission.fill(\.spots, 12)
        #expect(submission[\.state].typed == "CA")
        #expect(submission[\.spots].typed == "12")
        #expect(submission[\.title].typed == "")
    }

    @Test func `numbers come in groups`() {
        let choices = Choice.numbers(1...25, inGroupsOf: 10)
        #expect(choices.map(\.value) == (1...25).map(String.init))
        #expect(choices[24].group?.english == "21–25")
        #expect(Submission<FairForm>()[\.tables].groups.map(\.choices.count) == [25])

        var submission = Submission<FairForm>()
        submission.offer(\.tables, choices)
        let groups = submission[\.tables].groups
        #expect(groups.map { $0.label?.english } == ["1–10", "11–20", "21–25"])
        #expect(groups.map(\.choices.count) == [10, 10, 5])
    }
}
