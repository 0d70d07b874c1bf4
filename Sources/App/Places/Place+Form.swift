import Forms

extension Submission where F: PlaceForm {
    /// Fills in a place that was chosen. One that is no more than a town leaves name and street as they are.
    mutating func put(_ place: Place) {
        let isMore = !place.name.isEmpty || !place.address.street.isEmpty
        let fields = ["country", "city", "state", "zip", "lat", "lon"]
        fill(named: isMore ? ["place_name", "address"] + fields : fields) { form in
            if isMore {
                form.placeName = place.name.isEmpty ? nil : place.name
                form.street = place.address.street
            }
            form.country = place.address.country
            form.city = place.address.city
            form.state = place.address.state
            form.zip = place.address.zip
            form.latitude = place.coordinate?.written.latitude
            form.longitude = place.coordinate?.written.longitude
        }
    }
}
